// An extension for pi that answers every request from a script, offline, and writes down what was asked.
// PI_SCRIPT names the script (JSON: turns, summaries), PI_SCRIPT_LOG the file for the requests.

import { appendFileSync, readFileSync } from "node:fs";
import * as ai from "@earendil-works/pi-ai";

const script = JSON.parse(readFileSync(process.env.PI_SCRIPT, "utf8"));
const log = (row) => appendFileSync(process.env.PI_SCRIPT_LOG, `${JSON.stringify(row)}\n`);
const loop = [...script.turns];
const summaries = [...(script.summaries ?? [])];
let calls = 0;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function messageOf(model, turn) {
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, ...turn.usage };
  const content = (turn.content ?? []).map((block) => {
    if (block.type !== "call") return block;
    calls += 1;
    const call = { type: "toolCall", id: block.id ?? `call-${calls}`, name: block.name, arguments: block.arguments ?? {} };
    if (block.arguments_error !== undefined) call.argumentsError = block.arguments_error;
    return call;
  });
  const stops = turn.error !== undefined ? "error" : content.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
  return {
    role: "assistant", content, api: model.api, provider: model.provider, model: model.id,
    usage: { ...usage, totalTokens: usage.input + usage.output, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } },
    stopReason: turn.stop ?? stops, timestamp: Date.now(),
    ...(turn.error === undefined ? {} : { errorMessage: turn.error }),
  };
}

async function answer(stream, model, context) {
  const system = [context.systemPrompt ?? "", context.messages.filter((it) => it.role === "system")];
  const summary = !JSON.stringify(system).includes("You are under test.");
  log({ summary, system, messages: context.messages.filter((it) => it.role !== "system"), tools: context.tools?.map(({ name, description, parameters }) => ({ name, description, parameters })) });
  // pi compares times in whole milliseconds.
  await pause(5);
  const turn = summary ? (summaries.shift() ?? { content: [{ type: "text", text: "SUMMARY" }] }) : loop.shift();
  const message = messageOf(model, turn ?? { error: "script: no turn is left" });
  const partial = { ...message, content: [], stopReason: "stop" };
  stream.push({ type: "start", partial });
  message.content.forEach((block, contentIndex) => {
    partial.content = message.content.slice(0, contentIndex + 1);
    const kind = block.type === "toolCall" ? "toolcall" : "text";
    stream.push({ type: `${kind}_start`, contentIndex, partial });
    if (kind === "text") stream.push({ type: "text_delta", contentIndex, delta: block.text, partial });
    stream.push({ type: `${kind}_end`, contentIndex, content: block.text, toolCall: block, partial });
  });
  const failed = message.stopReason === "error" || message.stopReason === "aborted";
  stream.push(failed ? { type: "error", reason: message.stopReason, error: message } : { type: "done", reason: message.stopReason, message });
  stream.end(message);
}

export default function scripted(pi) {
  pi.registerProvider("scripted", {
    name: "Scripted", baseUrl: "http://127.0.0.1:9", apiKey: "none", api: "scripted-api",
    streamSimple(model, context) {
      const stream = ai.createAssistantMessageEventStream();
      answer(stream, model, context).catch((error) => {
        const failed = messageOf(model, { error: String(error?.message ?? error) });
        stream.push({ type: "error", reason: "error", error: failed });
        stream.end(failed);
      });
      return stream;
    },
    models: (script.models ?? [{ id: "scripted-1" }]).map((model) => ({
      id: model.id, name: model.id, reasoning: false, input: ["text"],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: model.contextWindow ?? 100000, maxTokens: model.maxTokens ?? 4096,
    })),
  });
}
