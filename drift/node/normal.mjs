// Brings what pi hands out into the form of a trace: nothing that changes from run to run is left.

/** Replaces places, durations and moments in text by stable tokens. */
export function text(value, places) {
  let out = value;
  for (const [place, token] of places) out = out.replaceAll(place, token);
  out = out.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>");
  return out.replace(/(Wall time) [\d.]+ \w+/g, "$1 <duration>");
}

/** The same, in every string of a value; undefined members go, key order stays. */
export function value(any, places) {
  if (typeof any === "string") return text(any, places);
  if (typeof any === "number" && !Number.isFinite(any)) return `<${any}>`;
  if (any === undefined || typeof any === "function") return null;
  if (any instanceof Promise) return "<promise>";
  if (Array.isArray(any)) return any.map((item) => value(item, places));
  if (any === null || typeof any !== "object") return any;
  const kept = Object.entries(any).filter(([, member]) => member !== undefined && typeof member !== "function");
  const moment = (key) => key === "durationMs" || key === "timestamp";
  return Object.fromEntries(kept.map(([key, member]) => [key, moment(key) ? `<${key}>` : value(member, places)]));
}

const SUMMARY = /^The conversation history before this point was compacted[\s\S]*<\/summary>\s*$/;

function content(blocks, places) {
  if (typeof blocks === "string") blocks = [{ type: "text", text: blocks }];
  if (!Array.isArray(blocks)) return value(blocks, places);
  return blocks.map((block) => {
    switch (block?.type) {
      case "text":
        return { type: "text", text: SUMMARY.test(block.text) ? "<summary>" : text(String(block.text), places) };
      case "thinking":
        return { type: "thinking", thinking: block.thinking };
      case "toolCall": {
        const call = { type: "toolCall", id: block.id, name: block.name, arguments: value(block.arguments, places) };
        if (block.argumentsError !== undefined) call.argumentsError = text(String(block.argumentsError), places);
        return call;
      }
      default:
        return value(block, places);
    }
  });
}

/** A message without moments, usage and provenance. */
export function message(from, places) {
  const to = { role: from.role };
  if (from.role === "compactionSummary") return { ...to, summary: text(String(from.summary), places) };
  if (from.role === "custom") to.customType = from.customType;
  if (from.role === "toolResult") {
    to.toolCallId = from.toolCallId;
    to.toolName = from.toolName;
    to.isError = Boolean(from.isError);
  }
  to.content = from.role === "system" ? "<system>" : content(from.content, places);
  if (from.role === "toolResult" && from.details !== undefined) to.details = value(from.details, places);
  if (from.stopReason !== undefined) to.stopReason = from.stopReason;
  if (from.errorMessage !== undefined) to.errorMessage = text(String(from.errorMessage), places);
  return to;
}

/** `assistant(toolUse,2call)`, `toolResult(probe,error)`, `user`. */
export function brief(from) {
  if (from.role === "assistant") {
    const calls = Array.isArray(from.content) ? from.content.filter((block) => block?.type === "toolCall").length : 0;
    return `assistant(${from.stopReason}${calls > 0 ? `,${calls}call` : ""})`;
  }
  if (from.role === "toolResult") return `toolResult(${from.toolName}${from.isError ? ",error" : ""})`;
  return from.role;
}

/** The briefs of a list of messages; system messages are told by the request itself. */
export function briefs(messages) {
  return `[${messages.filter((it) => it.role !== "system").map(brief).join(" ")}]`;
}
