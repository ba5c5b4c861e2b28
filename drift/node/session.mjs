// One script in one session of the real pi, and the trace of what happened.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ask, builtins } from "./ask.mjs";
import * as normal from "./normal.mjs";
import { pause, PAUSE_MS, scripted, serve, SYSTEM, Turns, wired } from "./provider.mjs";
import * as steps from "./steps.mjs";

/** Extension events every trace records; a script adds others under `watch`. */
const WATCHED = [
  "before_agent_start", "agent_start", "turn_start", "message_start", "message_end", "context",
  "tool_execution_start", "tool_call", "tool_result", "tool_execution_end", "turn_end", "agent_end",
  "agent_before_settle", "agent_settled", "session_before_compact", "session_compact",
  "session_compact_failed", "model_select",
];

/** What an extension event is about, in a few words. */
function about(event) {
  const flags = (...names) =>
    names.filter((name) => event[name] !== undefined).map((name) => `${name}=${event[name]}`).join(" ");
  const nested = event.parentToolCallId === undefined ? "" : " nested";
  switch (event.type) {
    case "message_start":
      return event.message.role;
    case "message_end":
      return normal.brief(event.message);
    case "context":
    case "context_with_system":
      return normal.briefs(event.messages);
    case "tool_execution_start":
    case "tool_call":
    case "tool_result":
      return `${event.toolName}${nested}`;
    case "tool_execution_end":
      return `${event.toolName}${nested}${event.isError ? " isError" : ""}`;
    case "agent_before_settle":
      return flags("outcome");
    case "agent_settled":
      return flags("aborted");
    case "session_before_compact":
    case "session_compact":
      return flags("reason", "willRetry");
    case "session_compact_failed":
      return `${flags("reason", "willRetry", "aborted")}${event.errorMessage ? ` error=${event.errorMessage}` : ""}`;
    case "model_select":
      return event.model?.id ?? "";
    default:
      return "";
  }
}

/** The members of an extension event that a trace keeps. */
function members(event, places) {
  const keep = (...names) => Object.fromEntries(names.filter((name) => event[name] !== undefined).map((name) => [name, normal.value(event[name], places)]));
  switch (event.type) {
    case "message_end":
      return { message: normal.message(event.message, places) };
    case "tool_execution_start":
      return keep("args");
    case "tool_call":
      return keep("input");
    case "tool_result":
      return keep("input", "content", "isError", "details");
    case "before_provider_request":
      return keep("payload");
    default:
      return undefined;
  }
}

/** A session event that extensions do not see; undefined for the others. */
export function aboutSession(event) {
  switch (event.type) {
    case "agent_end":
      return event.willRetry === undefined ? "" : `willRetry=${event.willRetry}`;
    case "auto_retry_start":
      return `${event.attempt}/${event.maxAttempts}`;
    case "auto_retry_end":
      return `success=${event.success} attempt=${event.attempt}${event.finalError ? ` error=${event.finalError}` : ""}`;
    case "compaction_start":
      return `${event.reason}`;
    case "compaction_end": {
      const result = event.result ? "yes" : "no";
      const error = event.errorMessage ? ` error=${event.errorMessage}` : "";
      return `${event.reason} aborted=${event.aborted} willRetry=${event.willRetry} result=${result}${error}`;
    }
    default:
      return undefined;
  }
}

/** The tools that system messages declare, from the release on that puts them there. */
function declared(messages) {
  return messages.filter((it) => it.role === "system").reduce((tools, it) => {
    const removed = new Set((it.toolsRemoved ?? []).map((tool) => tool.name));
    return [...tools.filter((tool) => !removed.has(tool.name)), ...(it.toolsAdded ?? [])];
  }, []);
}

/** Collects events, and starts what the script wants done at one of them. */
export class Log {
  constructor(places) {
    this.places = places;
    this.events = [];
    this.triggers = [];
    this.muted = false;
  }

  add(from, name, what, saw) {
    if (this.muted) return;
    const event = { from, name };
    if (what !== "" && what !== undefined) event.what = normal.text(what, this.places);
    if (saw !== undefined) event.saw = saw;
    this.events.push(event);
    const label = `${from}:${name}${event.what === undefined ? "" : ` ${event.what}`}`;
    for (const trigger of this.triggers) {
      if (!label.startsWith(trigger.at) || --trigger.left !== 0) continue;
      setTimeout(trigger.act, 1);
    }
  }

  request(summary, context) {
    if (summary) return this.add("P", "summary", normal.briefs(context.messages));
    const messages = context.messages.filter((it) => it.role !== "system").map((it) => normal.message(it, this.places));
    const system = context.systemPrompt === undefined ? "messages" : "context";
    const tools = (context.tools ?? declared(context.messages)).map((tool) => tool.name);
    this.add("P", "request", normal.briefs(context.messages), { system, tools, messages });
  }

  payload(sent) {
    this.add("P", "payload", undefined, normal.value(sent, this.places));
  }
}

/** Runs `script` and returns its trace. */
export async function perform(pi, ai, script) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "script-")));
  const cwd = join(root, "work");
  const agentDir = join(root, "agent");
  for (const folder of [cwd, agentDir]) mkdirSync(folder);
  for (const [name, content] of Object.entries(script.files ?? {})) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const log = new Log([[cwd, "<cwd>"], [agentDir, "<agent>"], [root, "<root>"]]);
  const run = { pi, ai, script, cwd, agentDir, log, failures: [], errors: [], answers: [] };
  try {
    await open(run);
    for (const action of script.actions) await act(run, action);
    await settle(run);
    return trace(run);
  } finally {
    run.log.muted = true;
    run.session?.dispose();
    run.server?.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

async function open(run) {
  const { pi, script, cwd, agentDir } = run;
  run.settings = pi.SettingsManager.inMemory(settings(script.settings));
  run.turns = new Turns(script, run.log);
  const extensions = [(api) => extend(run, api)];
  if (script.codemode && pi.createCodemodeExtension) extensions.push(pi.createCodemodeExtension());
  const loader = new pi.DefaultResourceLoader({
    cwd, agentDir, settingsManager: run.settings, extensionFactories: extensions,
    noExtensions: true, noSkills: true, noPromptTemplates: true, noThemes: true, noContextFiles: true,
    systemPrompt: SYSTEM,
  });
  await loader.reload();
  const registry = await registryOf(pi, agentDir);
  await register(run, registry);
  run.find = (id) => (registry.find ?? registry.getModel).call(registry, "scripted", id);
  const model = run.find(script.models[0].id);
  const options = { cwd, agentDir, model, resourceLoader: loader, settingsManager: run.settings, thinkingLevel: "off" };
  if (script.active) options.tools = script.active;
  const sessionManager = pi.SessionManager.inMemory(cwd);
  const own = pi.ModelRuntime ? { modelRuntime: registry } : { modelRegistry: registry, authStorage: registry.authStorage };
  const { session } = await pi.createAgentSession({ ...options, ...own, sessionManager });
  run.session = session;
  run.sessionManager = sessionManager;
  await session.bindExtensions({ onError: (error) => run.errors.push({ on: error.event, message: normal.text(String(error.error), run.log.places) }) });
  session.subscribe((event) => {
    const what = aboutSession(event);
    if (what !== undefined) run.log.add("S", event.type, what);
  });
}

export function settings(given = {}) {
  const compaction = given.compaction ?? {};
  const retry = given.retry ?? {};
  return {
    compaction: {
      enabled: compaction.enabled ?? false,
      reserveTokens: compaction.reserve_tokens ?? 1000,
      keepRecentTokens: compaction.keep_recent_tokens ?? 1,
    },
    retry: { enabled: retry.enabled ?? true, maxRetries: retry.max ?? 2, baseDelayMs: retry.base_delay_ms ?? 5 },
    ...(given.codemode === undefined ? {} : { codemode: given.codemode }),
  };
}

async function registryOf(pi, agentDir) {
  if (!pi.ModelRuntime) return pi.ModelRegistry.inMemory(pi.AuthStorage.inMemory());
  return pi.ModelRuntime.create({
    authPath: join(agentDir, "auth.json"), modelsPath: null, modelsStorePath: join(agentDir, "models"), allowModelNetwork: false,
  });
}

async function register(run, registry) {
  const { script, ai, turns } = run;
  let streamSimple = scripted(ai, turns);
  if (script.api !== "scripted") {
    run.server = await serve(() => turns);
    const real = await import(`@earendil-works/pi-ai/api/${script.api}`);
    streamSimple = wired(real.streamSimple, { turns, api: script.api, url: run.server.url });
  }
  registry.registerProvider("scripted", {
    name: "Scripted", baseUrl: "http://127.0.0.1:9", apiKey: "none", api: "scripted-api", streamSimple,
    models: script.models.map((model) => ({
      id: model.id, name: model.id, reasoning: false, input: ["text"], cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: model.context_window, maxTokens: model.max_tokens,
    })),
  });
}

/** The extension of the script: recorders first, then its handlers in order, then its tools. */
function extend(run, api) {
  record(run, api);
  handle(run, api);
  for (const tool of run.script.tools) api.registerTool(definition(run, tool));
}

export function record({ script, log }, api) {
  for (const name of new Set([...WATCHED, ...script.watch])) {
    api.on(name, (event) => {
      log.add("X", name, about(event), members(event, log.places));
      // Over the wire pi stamps an answer when it is asked for, which may be this very millisecond.
      if (name === "session_compact" && (script.api ?? "scripted") !== "scripted") return pause(PAUSE_MS);
      return undefined;
    });
  }
}

export function handle(run, api) {
  for (const handler of run.script.handlers) {
    let left = handler.times ?? Infinity;
    api.on(handler.on, async (event, ctx) => {
      if (left <= 0 || !steps.holds(handler.if, event)) return undefined;
      left -= 1;
      const returned = await steps.run(handler.steps, event, hosting(run, ctx));
      if (returned?.value?.systemPrompt) run.turns.prompts.push(returned.value.systemPrompt);
      return returned?.value;
    });
  }
}

function hosting(run, ctx) {
  return {
    record: (as, event) => run.log.add("H", as, undefined, normal.value({ ...event, type: undefined }, run.log.places)),
    act: (what) => act(run, { do: what, from: ctx }),
    nested: async (step, event) => {
      const outcome = await ctx.executeTool(step.tool, structuredClone(step.arguments));
      const blocks = outcome.result?.content ?? outcome.content ?? [];
      const text = blocks.map((block) => block.text ?? "").join("");
      event.nested = { isError: outcome.isError === true, text };
      run.log.add("T", "nested", step.tool, normal.value(event.nested, run.log.places));
    },
  };
}

export function definition(run, tool) {
  const { log } = run;
  const original = tool.delegate ? builtins(run)[tool.name] : undefined;
  const made = {
    name: tool.name,
    label: tool.name,
    description: `${tool.name} under test`,
    parameters: tool.parameters ?? original?.parameters,
    async execute(id, params, signal, onUpdate, ctx) {
      log.add("T", "execute", tool.name, { args: normal.value(params, log.places) });
      const event = { id, args: params };
      const returned = await steps.run(tool.execute ?? [], event, hosting(run, ctx));
      if (returned) return returned.value;
      if (original) return original.execute(id, params, signal, onUpdate, ctx);
      return { content: [{ type: "text", text: `${tool.name} ran ${JSON.stringify(params)}` }], details: {} };
    },
  };
  if (tool.exposure) made.exposure = tool.exposure;
  if (tool.sequential) made.executionMode = "sequential";
  if (tool.prepare !== undefined || tool.delegate) made.prepareArguments = (args) => prepare(run, tool, original, args);
  return made;
}

function prepare(run, tool, original, args) {
  run.log.add("T", "prepare", tool.name, { args: normal.value(args, run.log.places) });
  const event = { args };
  const returned = steps.runNow(tool.prepare ?? [], event);
  const result = returned ? returned.value : event.args;
  if (tool.prepare_async) return Promise.resolve(result);
  return original?.prepareArguments ? original.prepareArguments(result) : result;
}

/** The text of a prompt. */
export const promptOf = (action) => (action.repeat ? `${action.text} `.repeat(action.repeat) : action.text);

export function announce({ log }, action) {
  log.add("U", "prompt", action.text.length > 40 ? `${action.text.slice(0, 40)}…` : action.text);
}

/** What the user does. */
export async function act(run, action) {
  const { session, log } = run;
  switch (action.do) {
    case "prompt":
      announce(run, action);
      return during(run, action, () => session.prompt(promptOf(action)));
    case "compact":
      log.add("U", "compact");
      return during(run, action, () => session.compact());
    case "abort":
      log.add("U", "abort");
      return void session.abort().catch((error) => fail(run, "abort", error));
    case "abort_retry":
      log.add("U", "abort_retry");
      return session.abortRetry();
    case "abort_compaction":
      log.add("U", "abort_compaction");
      return session.abortCompaction();
    case "steer":
      log.add("U", "steer", action.text);
      return session.steer(action.text);
    case "follow_up":
      log.add("U", "follow_up", action.text);
      return session.followUp(action.text);
    case "model":
      log.add("U", "model", action.id);
      return session.setModel(run.find(action.id));
    case "retry":
      log.add("U", "retry", String(action.enabled));
      return session.setAutoRetryEnabled(action.enabled);
    case "compaction":
      log.add("U", "compaction", String(action.enabled));
      return session.setAutoCompactionEnabled(action.enabled);
    case "ask":
      return void run.answers.push(...normal.value(await ask(run, action), log.places));
    default:
      throw new Error(`script: unknown action ${action.do}`);
  }
}

function fail(run, action, error) {
  run.failures.push({ action, message: normal.text(String(error?.message ?? error), run.log.places) });
}

/** Sets what is to be done while an action runs. */
export function arm(run, action) {
  run.log.triggers = (action.during ?? []).map((row) => ({
    at: row.at, left: row.nth ?? 1, act: () => act(run, row).catch((error) => fail(run, row.do, error)),
  }));
}

/** Runs a long action with its triggers armed, to its end. */
async function during(run, action, start) {
  arm(run, action);
  await start().catch((error) => fail(run, action.do, error));
  await settle(run);
  run.log.triggers = [];
}

export async function settle(run) {
  await run.session.waitForIdle?.();
  await run.session.agent?.waitForIdle?.();
  await new Promise((done) => setTimeout(done, 5));
}

export function trace(run) {
  const { log, session } = run;
  return {
    format: 1,
    script: run.script.name,
    pi: run.pi.VERSION ?? "",
    events: log.events,
    transcript: session.messages.filter((it) => it.role !== "system").map((it) => normal.message(it, log.places)),
    entries: run.sessionManager.getEntries().map(entry),
    errors: run.errors,
    failures: run.failures,
    answers: run.answers,
  };
}

function entry(it) {
  return it.type === "message" ? `message:${normal.brief(it.message)}` : it.type;
}
