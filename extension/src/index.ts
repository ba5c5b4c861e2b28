// The extension for pi: listens where the host reports, and hands what it hears to the engine.

import * as given from "@earendil-works/pi-coding-agent";
import { Briefs } from "./advice.js";
import { lookedAt } from "./border.js";
import { entriesOf, ownDefinitions, withRepair } from "./builtins.js";
import { registerCommands } from "./commands.js";
import type { Context, ExtensionAPI, HostEvent, HostModule, Message, ToolDefinition, ToolInfo } from "./host.js";
import { hub, keyOf } from "./hub.js";
import { refusedResult, treatMessage } from "./message.js";
import { loadNative, type Native, NativeUnavailableError } from "./native.js";
import { ENTRY, marked, markedRenderers, rulesOf } from "./render.js";
import { Runtime, switchesOf } from "./runtime.js";

/** What one instance of the extension holds for one session. */
interface State {
  runtime: Runtime | undefined;
  active: Set<string>;
  /** What the tools were when they were last compiled. */
  compiled: string;
  schemas: WeakMap<object, number>;
  own: Map<string, ToolDefinition>;
  rules: Map<string, string[]>;
  briefs: Briefs;
}

function fresh(): State {
  return {
    runtime: undefined, active: new Set(), compiled: "", schemas: new WeakMap(), own: new Map(),
    rules: new Map(), briefs: new Briefs(),
  };
}

export default function piRepair(pi: ExtensionAPI): void {
  let native: Native;
  try {
    native = loadNative();
  } catch (error) {
    return stepAside(pi, error);
  }
  const host = given as unknown as HostModule;
  const state = fresh();
  const runtime = () => state.runtime;
  /** Runs a handler; a failure of ours is never one of the host's. */
  const on = (event: string, run: (runtime: Runtime, event: HostEvent, ctx: Context) => unknown) =>
    pi.on(event, (given, ctx) => (state.runtime ? state.runtime.guard(() => run(state.runtime as Runtime, given, ctx)) : undefined));

  pi.on("session_start", (_event, ctx) => start(pi, native, host, state, ctx));
  on("session_shutdown", (now) => stop(now, state));
  registerCommands(pi, runtime);
  pi.registerToolRenderer?.((_tool, next) => markedRenderers(next(), runtime, state.rules));
  listenToMessages(pi, on, state);
  listenToCalls(pi, on, state);
  listenToFailures(on, state);
}

type On = (event: string, run: (runtime: Runtime, event: HostEvent, ctx: Context) => unknown) => void;

/** Says once why nothing is repaired; pi goes on as without the extension. */
function stepAside(pi: ExtensionAPI, error: unknown): void {
  const known = error instanceof NativeUnavailableError;
  const says = known ? error.message : `pi-repair cannot start (${error instanceof Error ? error.message : error}); pi works as without it.`;
  pi.on("session_start", (_event, ctx) => warn(ctx, says));
}

function start(pi: ExtensionAPI, native: Native, host: HostModule, state: State, ctx: Context): void {
  try {
    if (state.runtime) stop(state.runtime, state);
    const runtime = new Runtime(native, host.getAgentDir(), host.VERSION, switchesOf(process.env));
    Object.assign(state, fresh(), { rules: state.rules });
    state.rules.clear();
    for (const [id, rules] of rulesOf(ctx.sessionManager.getEntries())) state.rules.set(id, rules);
    state.runtime = runtime;
    hub().runtimes.add(runtime);
    runtime.telemetry.rotate((log) => native.rotate(log));
    for (const line of runtime.diagnostics) warn(ctx, `pi-repair: ${line}`);
    override(pi, host, state, ctx);
    // What fails here is tried again at the next turn.
    runtime.guard(() => refresh(pi, state, ctx));
  } catch (error) {
    if (state.runtime) hub().runtimes.delete(state.runtime);
    state.runtime = undefined;
    warn(ctx, `pi-repair cannot start (${error instanceof Error ? error.message : error}); pi works as without it.`);
  }
}

/** Tells the user; without a screen, on standard error. */
function warn(ctx: Context, says: string): void {
  if (ctx.hasUI) ctx.ui.notify(says, "warning");
  else process.stderr.write(`${says}\n`);
}

/**
 * Puts our definitions in place of pi's own tools. Only once the session has begun: pi then knows the
 * names already, so that registering them again neither adds a tool nor makes one active.
 */
function override(pi: ExtensionAPI, host: HostModule, state: State, ctx: Context): void {
  for (const definition of ownDefinitions(pi, host, ctx)) {
    const mine = withRepair(definition, () => state.runtime);
    // Newer hosts ask for renderers apart from definitions.
    if (pi.registerToolRenderer === undefined && definition.renderResult) {
      mine.renderResult = marked(definition.renderResult, () => state.runtime, state.rules);
    }
    state.own.set(definition.name, definition);
    pi.registerTool(mine);
  }
}

function stop(runtime: Runtime, state: State): void {
  hub().runtimes.delete(runtime);
  state.runtime = undefined;
  runtime.session.shutdown(Date.now());
  runtime.flush();
  runtime.telemetry.close();
}

let schemas = 0;

/** The number by which a schema is known again; 0 for what is none. */
function numberOf(schema: unknown, state: State): number {
  if (typeof schema !== "object" || schema === null) return 0;
  const known = state.schemas.get(schema) ?? (schemas += 1);
  state.schemas.set(schema, known);
  return known;
}

/** Compiles the tools again where they are others than before, and tells the engine which are active. */
function refresh(pi: ExtensionAPI, state: State, ctx: Context): void {
  const { runtime } = state;
  if (runtime === undefined) return;
  const tools = pi.getAllTools();
  const key = tools.map((tool) => `${String(tool.name)}#${numberOf(tool.parameters, state)}`).join(",");
  if (key !== state.compiled) {
    const configOf = (tool: ToolInfo) => hub().configs.get(keyOf(tool.name, tool.parameters));
    runtime.setTools(entriesOf(tools, state.own, configOf, (line) => runtime.sayOnce(line)));
    state.compiled = key;
    state.active = new Set(["\n"]);
  }
  const active = pi.getActiveTools();
  if (active.length !== state.active.size || active.some((name) => !state.active.has(name))) {
    state.active = new Set(active);
    runtime.session.setActive(lookedAt(active));
  }
  if (ctx.model) runtime.session.setModel(ctx.model.provider, ctx.model.id, Date.now());
}

function listenToMessages(pi: ExtensionAPI, on: On, state: State): void {
  on("turn_start", (_runtime, _event, ctx) => refresh(pi, state, ctx));
  on("message_end", (runtime, event, ctx) => {
    const message: Message = event.message;
    if (message.role === "user") runtime.session.hear('{"type":"user_end"}', Date.now());
    if (message.role === "toolResult") {
      const read = refusedResult(message, runtime.refused);
      return read && { message: read };
    }
    if (message.role !== "assistant") return undefined;
    const window = ctx.model?.id === message.model ? ctx.model?.contextWindow : undefined;
    const brief = state.briefs.hear(message, window);
    runtime.session.hear(lookedAt({ type: "assistant_end", ...brief }), Date.now());
    if (!runtime.settings.repair) return undefined;
    runtime.guard(() => refresh(pi, state, ctx));
    if (message.provider && message.model) runtime.session.setModel(message.provider, message.model, Date.now());
    const treated = treatMessage(runtime, message, state.active);
    return treated && { message: treated };
  });
}

function listenToCalls(pi: ExtensionAPI, on: On, state: State): void {
  on("tool_execution_start", (runtime, event) => {
    runtime.starting = event.toolCallId;
    runtime.startingArgs = event.args;
    runtime.session.started(event.toolCallId, event.toolName, Date.now());
  });
  on("tool_call", (runtime, event) => {
    const nested = event.parentToolCallId !== undefined;
    runtime.session.called(event.toolCallId, event.toolName, null, nested);
  });
  on("tool_result", (runtime, event) => {
    const nested = event.parentToolCallId !== undefined;
    const answer = runtime.session.finished(event.toolCallId, nested, Date.now());
    if (!answer) return undefined;
    const note: { text: string; rules: string[] } = JSON.parse(answer);
    state.rules.set(event.toolCallId, note.rules);
    runtime.guard(() => pi.appendEntry(ENTRY, { id: event.toolCallId, rules: note.rules }));
    const content = [{ type: "text", text: note.text }, ...(event.content ?? [])];
    // A host drops the structured content of a result whose content is replaced without it.
    return event.structuredContent === undefined ? { content } : { content, structuredContent: event.structuredContent };
  });
  on("tool_execution_end", (runtime, event) => runtime.session.ended(event.toolCallId, Date.now()));
  on("agent_end", (runtime) => {
    runtime.session.runEnded(Date.now());
    runtime.flush();
  });
}

function listenToFailures(on: On, state: State): void {
  const hear = (runtime: Runtime, ctx: Context, event: object) => {
    const warning = runtime.session.hear(lookedAt(event), Date.now());
    if (warning && ctx.hasUI) ctx.ui.notify(warning, "warning");
  };
  on("session_before_compact", (runtime, { reason, willRetry, signal }, ctx) => {
    hear(runtime, ctx, { type: "session_before_compact", reason, willRetry });
    signal?.addEventListener?.("abort", () => {
      runtime.guard(() => hear(runtime, ctx, { type: "compact_aborted" }));
    }, { once: true });
  });
  on("session_compact", (runtime, { reason, willRetry }, ctx) => hear(runtime, ctx, { type: "session_compact", reason, willRetry }));
  on("session_compact_failed", (runtime, { reason, aborted, errorMessage }, ctx) =>
    hear(runtime, ctx, { type: "session_compact_failed", reason, aborted, errorMessage }));
  on("agent_settled", (runtime, { aborted }, ctx) => hear(runtime, ctx, { type: "agent_settled", aborted: aborted === true }));
  on("context", (runtime, event, ctx) => {
    if (!runtime.settings.advisor) return undefined;
    if (ctx.model) runtime.session.setModel(ctx.model.provider, ctx.model.id, Date.now());
    const notes = runtime.session.advise(state.briefs.of(event.messages), Date.now());
    if (!notes) return undefined;
    const texts: string[] = JSON.parse(notes);
    const more = texts.map((content) => ({ role: "custom", customType: `${ENTRY}-advice`, content, display: false, timestamp: Date.now() }));
    return { messages: [...event.messages, ...more] };
  });
}
