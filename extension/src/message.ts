// Finished messages: what the engine says of one, put into it.

import { randomBytes } from "node:crypto";
import { faithfulText, lend, withRawHalves } from "./border.js";
import type { ContentBlock, Message, ToolCallBlock } from "./host.js";
import type { Runtime } from "./runtime.js";

interface Edits {
  texts: (string | null)[];
  calls: { id: string; name?: string; args?: unknown }[];
  promoted: { id: string; name: string; args: unknown }[];
  refused: Record<string, string>;
}

const isText = (block: ContentBlock): boolean => block.type === "text" && typeof block.text === "string";
const isCall = (block: ContentBlock): block is ToolCallBlock =>
  block.type === "toolCall" && typeof block.id === "string" && typeof block.name === "string";

/** Ways to end a message after which its calls and texts mean something. */
const TREATED = new Set(["stop", "toolUse", "length"]);

/** The message as it is to be, or undefined if it stays; refusals are kept by id. */
export function treatMessage(runtime: Runtime, message: Message, active: Set<string>): Message | undefined {
  const { content } = message;
  if (!Array.isArray(content) || !TREATED.has(message.stopReason ?? "")) return undefined;
  const texts = content.filter(isText).map((block) => block.text);
  const calls = content.filter(isCall);
  const odd = calls.some((call) => !active.has(call.name) || call.argumentsError !== undefined);
  if (!odd && texts.every((text) => text === "")) return undefined;
  const loan = lend({
    texts,
    stopReason: message.stopReason,
    idPrefix: `call_${randomBytes(10).toString("hex")}`,
    // A call that the host fails anyway is not looked at, nor are arguments that JSON cannot say.
    calls: calls.map((call) => ({
      id: message.stopReason === "length" ? "" : call.id,
      name: call.name,
      ...(active.has(call.name) ? {} : { arguments: withRawHalves(faithfulText(call.arguments ?? null) ?? "") }),
      ...(call.argumentsError === undefined ? {} : { argumentsError: call.argumentsError }),
    })),
  });
  if (loan === undefined) return undefined;
  const answer = runtime.guard(() => runtime.session.message(loan.text, Date.now()));
  runtime.flush();
  if (!answer) return undefined;
  const edits: Edits = JSON.parse(loan.back(answer));
  for (const [id, says] of Object.entries(edits.refused)) runtime.refused.set(id, says.toWellFormed());
  return edited(message, content, edits, runtime);
}

function edited(message: Message, content: ContentBlock[], edits: Edits, runtime: Runtime): Message | undefined {
  const texts = [...edits.texts];
  const calls = new Map(edits.calls.map((call) => [call.id, call]));
  const promotes = edits.promoted.length > 0;
  const changes = promotes || calls.size > 0 || texts.some((text) => text !== null);
  if (!changes) return undefined;
  const blocks = content.flatMap((block): ContentBlock[] => {
    if (isText(block)) {
      const text = texts.shift() ?? null;
      if (text === null) return [block];
      return text === "" ? [] : [{ ...block, text }];
    }
    const edit = isCall(block) ? calls.get(block.id) : undefined;
    if (edit === undefined) return [block];
    const mended: ContentBlock = { ...block, name: edit.name ?? block.name };
    if ("args" in edit) {
      mended.arguments = edit.args;
      delete mended.argumentsError;
    }
    return [mended];
  });
  for (const call of edits.promoted) blocks.push({ type: "toolCall", id: call.id, name: call.name, arguments: call.args });
  runtime.say(`message: ${calls.size} calls mended, ${edits.promoted.length} promoted`);
  return { ...message, content: blocks, ...(promotes ? { stopReason: "toolUse" } : {}) };
}

/** The result that the model reads of a call that was refused before the host looked at it. */
export function refusedResult(message: Message, refused: Map<string, string>): Message | undefined {
  const says = message.toolCallId === undefined ? undefined : refused.get(message.toolCallId);
  if (says === undefined) return undefined;
  refused.delete(message.toolCallId as string);
  return message.isError ? { ...message, content: [{ type: "text", text: says }] } : undefined;
}
