// The scripted provider: answers each request with the next turn, through a custom API or over loopback.

import { createServer } from "node:http";
/** pi compares moments in whole milliseconds; an answer in the same one makes it flip at random. */
export const PAUSE_MS = 4;

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export const usageOf = (turn) => {
  const given = turn.usage ?? {};
  const usage = {
    input: given.input ?? 10,
    output: given.output ?? 5,
    cacheRead: given.cacheRead ?? 0,
    cacheWrite: given.cacheWrite ?? 0,
  };
  const totalTokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  return { ...usage, totalTokens, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
};

/** Why a turn ends, where the script does not say. */
function stopOf(turn) {
  if (turn.stop !== undefined) return turn.stop;
  if (turn.error !== undefined) return "error";
  return turn.content.some((block) => block.type === "call") ? "toolUse" : "stop";
}

/** Hands turns out, numbers calls, and tells requests of the loop from those of a summary. */
export class Turns {
  constructor(script, log) {
    this.loop = [...script.turns];
    this.summaries = [...script.summaries];
    this.log = log;
    this.calls = 0;
    this.waiting = [];
    this.prompts = [SYSTEM];
  }

  /** Logs the request and takes its turn. */
  next(context) {
    const summary = isSummary(context, this.prompts);
    const turn = summary ? (this.summaries.shift() ?? { content: [{ type: "text", text: "SUMMARY" }] }) : this.loop.shift();
    this.log.request(summary, context);
    return turn ?? { content: [], error: "script: no turn is left for this request" };
  }

  /** The turn of the request that the server is to answer now. */
  take() {
    return this.waiting.shift() ?? { content: [], status: 500, error: "script: a request nobody logged" };
  }

  id(block) {
    this.calls += 1;
    return block.id ?? `call-${this.calls}`;
  }
}

/** What every request of the loop carries; a request for a summary has a prompt of its own. */
export const SYSTEM = "You are under test.";

function isSummary(context, prompts) {
  const system = context.messages.filter((message) => message.role === "system");
  const said = JSON.stringify([context.systemPrompt ?? "", system]);
  return !prompts.some((prompt) => said.includes(JSON.stringify(prompt).slice(1, -1)));
}

/** A `streamSimple` for pi, answering from `turns`. */
export function scripted(ai, turns) {
  return (model, context, options) => {
    const stream = ai.createAssistantMessageEventStream();
    answer(stream, { turns, model, context, options }).catch((error) => {
      const failed = { ...shell(model, {}), stopReason: "error", errorMessage: String(error?.message ?? error) };
      stream.push({ type: "error", reason: "error", error: failed });
      stream.end(failed);
    });
    return stream;
  };
}

function shell(model, turn) {
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: usageOf(turn),
    stopReason: "stop",
    timestamp: Date.now(),
  };
}

async function answer(stream, { turns, model, context, options }) {
  const payload = { model: model.id };
  const before = JSON.stringify(payload);
  const sent = (await options?.onPayload?.(payload, model)) ?? payload;
  if (JSON.stringify(sent) !== before) turns.log.payload(sent);
  const turn = turns.next(context);
  await options?.onResponse?.({ status: 200, headers: {} }, model);
  await pause(PAUSE_MS + (turn.delay_ms ?? 0));
  const message = shell(model, turn);
  stream.push({ type: "start", partial: message });
  turn.content.forEach((block, index) => push(stream, message, block, { index, turns }));
  if (turn.hang) await aborted(options?.signal);
  const stopReason = turn.hang || options?.signal?.aborted ? "aborted" : stopOf(turn);
  const done = { ...message, stopReason };
  if (stopReason === "aborted") done.errorMessage = turn.error ?? "Request was aborted";
  else if (turn.error !== undefined) done.errorMessage = turn.error;
  const failed = stopReason === "error" || stopReason === "aborted";
  stream.push(failed ? { type: "error", reason: stopReason, error: done } : { type: "done", reason: stopReason, message: done });
  stream.end(done);
}

function aborted(signal) {
  if (!signal || signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener("abort", () => done(), { once: true }));
}

function push(stream, message, block, { index, turns }) {
  const at = { contentIndex: index, partial: message };
  if (block.type === "call") {
    const call = { type: "toolCall", id: turns.id(block), name: block.name, arguments: structuredClone(block.arguments ?? {}) };
    if (block.arguments_error !== undefined) call.argumentsError = block.arguments_error;
    message.content.push(call);
    stream.push({ type: "toolcall_start", ...at });
    stream.push({ type: "toolcall_end", ...at, toolCall: call });
    return;
  }
  const kind = block.type;
  const words = kind === "thinking" ? { type: "thinking", thinking: block.thinking } : { type: "text", text: block.text };
  message.content.push(words);
  const said = words.text ?? words.thinking;
  stream.push({ type: `${kind}_start`, ...at });
  stream.push({ type: `${kind}_delta`, ...at, delta: said });
  stream.push({ type: `${kind}_end`, ...at, content: said });
}

/** A `streamSimple` that lets pi's own code for `api` talk to the loopback server. */
export function wired(streamSimple, { turns, api, url }) {
  return (model, context, options) => {
    turns.waiting.push(turns.next(context));
    const baseUrl = api === "openai-completions" ? `${url}/v1` : url;
    return streamSimple({ ...model, api, baseUrl }, context, { ...options, apiKey: "none", maxRetries: 0 });
  };
}

/** Starts a server that speaks both provider dialects; resolves to its address and a way to stop it. */
export async function serve(current) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => respond(request.url, response, current()).catch(() => response.destroy()));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

async function respond(url, response, turns) {
  const turn = turns.take();
  await pause(PAUSE_MS + (turn.delay_ms ?? 0));
  if (turn.status !== undefined) {
    response.writeHead(turn.status, { "content-type": "application/json" });
    response.end(turn.error ?? "");
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const lines = url.includes("messages") ? anthropic(turn, turns) : completions(turn, turns);
  for (const line of lines) response.write(line);
  if (turn.die) response.destroy();
  else if (!turn.hang) response.end();
}

/** Two pieces, so that text is really put together again. */
function pieces(raw) {
  const half = Math.floor(raw.length / 2);
  return [raw.slice(0, half), raw.slice(half)];
}

const rawOf = (block) => block.raw ?? JSON.stringify(block.arguments ?? {});

function completions(turn, turns) {
  const lines = [];
  const chunk = (delta, finish_reason = null, extra = {}) => {
    const body = { id: "c", object: "chat.completion.chunk", created: 0, model: "m", ...extra };
    lines.push(`data: ${JSON.stringify({ ...body, choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  };
  chunk({ role: "assistant", content: "" });
  let calls = 0;
  for (const block of turn.content) {
    if (block.type === "text") chunk({ content: block.text });
    if (block.type === "thinking") chunk({ reasoning_content: block.thinking });
    if (block.type !== "call") continue;
    const index = calls++;
    chunk({ tool_calls: [{ index, id: turns.id(block), type: "function", function: { name: block.name, arguments: "" } }] });
    for (const part of pieces(rawOf(block))) chunk({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  if (turn.die || turn.hang) return lines;
  const usage = usageOf(turn);
  const counted = { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.totalTokens };
  chunk({}, { stop: "stop", toolUse: "tool_calls", length: "length" }[stopOf(turn)] ?? stopOf(turn), { usage: counted });
  lines.push("data: [DONE]\n\n");
  return lines;
}

function anthropic(turn, turns) {
  const lines = [];
  const event = (type, body) => lines.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`);
  const usage = usageOf(turn);
  const start = { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, stop_sequence: null };
  event("message_start", { message: { ...start, usage: { input_tokens: usage.input, output_tokens: 0 } } });
  turn.content.forEach((block, index) => {
    if (block.type === "call") {
      event("content_block_start", { index, content_block: { type: "tool_use", id: turns.id(block), name: block.name, input: {} } });
      for (const part of pieces(rawOf(block)))
        event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: part } });
    } else {
      const kind = block.type;
      event("content_block_start", { index, content_block: { type: kind, [kind]: "" } });
      event("content_block_delta", { index, delta: { type: `${kind}_delta`, [kind]: block[kind] } });
    }
    if (!(turn.die || turn.hang) || index < turn.content.length - 1) event("content_block_stop", { index });
  });
  if (turn.die || turn.hang) return lines;
  const reason = { stop: "end_turn", toolUse: "tool_use", length: "max_tokens" }[stopOf(turn)] ?? stopOf(turn);
  event("message_delta", { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: usage.output } });
  event("message_stop", {});
  return lines;
}
