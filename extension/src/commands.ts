// The commands `/repair-settings` and `/repair-stats`.

import type { Context, ExtensionAPI } from "./host.js";
import type { Runtime, SettingKey } from "./runtime.js";

/** Shows a page where the user is; without a screen, on standard output. */
function show(ctx: Context, page: string): void {
  if (ctx.hasUI) ctx.ui.notify(page.trimEnd(), "info");
  else process.stdout.write(`${page.trimEnd()}\n`);
}

export function registerCommands(pi: ExtensionAPI, runtime: () => Runtime | undefined): void {
  const withRuntime = (run: (runtime: Runtime, args: string, ctx: Context) => unknown) => (args: string, ctx: Context) => {
    const now = runtime();
    return now === undefined ? show(ctx, "pi-repair is not at work in this session.") : run(now, (args ?? "").trim(), ctx);
  };
  pi.registerCommand("repair-settings", {
    description: "Show or change how tool calls are repaired: /repair-settings [name value]",
    handler: withRuntime(settings),
  });
  pi.registerCommand("repair-stats", {
    description: "Show what was repaired: /repair-stats [section …] [json]",
    handler: withRuntime(stats),
  });
}

async function settings(runtime: Runtime, args: string, ctx: Context): Promise<void> {
  const typed = /^(\w+)(?:\s*=\s*|\s+)(.+)$/s.exec(args);
  if (typed) return apply(runtime, ctx, typed[1]!, valueOf(typed[2]!));
  if (args !== "" || !ctx.hasUI) return show(ctx, overview(runtime));
  for (;;) {
    const keys = runtime.settingKeys();
    const rows = keys.map((key) => `${key.name}: ${shown(runtime, key.name)} (${key.says})`);
    const picked = await ctx.ui.select("How tool calls are repaired", [...rows, "Done"]);
    const key = keys[rows.indexOf(picked ?? "")];
    if (key === undefined) return undefined;
    await choose(runtime, ctx, key);
  }
}

async function choose(runtime: Runtime, ctx: Context, key: SettingKey): Promise<void> {
  const choices = choicesOf(key);
  if (choices.length === 0) {
    const typed = await ctx.ui.input?.(`${key.name}: names with commas between them`, shown(runtime, key.name));
    if (typed !== undefined) apply(runtime, ctx, key.name, valueOf(`[${typed}]`));
    return;
  }
  const picked = await ctx.ui.select(`${key.name}: ${key.says}`, choices);
  if (picked !== undefined) apply(runtime, ctx, key.name, picked === FOLLOW ? null : valueOf(picked));
}

const FOLLOW = "what the profile says";
const OVERRIDES = new Set(["grammarRecovery", "unknownGrammarText"]);

/** The values that a menu offers; none for a list. */
function choicesOf(key: SettingKey): string[] {
  if (key.accepts === "true or false") return ["true", "false"];
  const quoted = [...key.accepts.matchAll(/"([^"]+)"/g)].map((match) => match[1]!);
  return OVERRIDES.has(key.name) ? [...quoted, FOLLOW] : quoted;
}

/** A value as a user types it. */
function valueOf(text: string): unknown {
  const bare = text.trim();
  if (bare.startsWith("[")) {
    const names = bare.replace(/^\[|\]$/g, "").split(",").map((name) => name.trim().replace(/^"|"$/g, ""));
    return names.filter((name) => name !== "");
  }
  if (bare === "true" || bare === "false") return bare === "true";
  return bare === "null" || bare === "default" ? null : bare.replace(/^"|"$/g, "");
}

function shown(runtime: Runtime, name: string): string {
  const value = (runtime.settings as unknown as Record<string, unknown>)[name];
  if (value === undefined) return FOLLOW;
  return Array.isArray(value) ? value.join(", ") || "all active tools" : String(value);
}

function apply(runtime: Runtime, ctx: Context, name: string, value: unknown): void {
  const wrong = runtime.change({ [name]: value });
  if (wrong !== undefined && ctx.hasUI) ctx.ui.notify(wrong, "error");
  else show(ctx, wrong ?? `${name} is ${shown(runtime, name)} now.`);
}

function overview(runtime: Runtime): string {
  const rows = runtime.settingKeys().map((key) => `${key.name}: ${shown(runtime, key.name)}\n  ${key.says}; ${key.accepts}`);
  const file = `Kept in ${runtime.settingsFile}`;
  return [...rows, file, ...runtime.diagnostics].join("\n");
}

function stats(runtime: Runtime, args: string, ctx: Context): void {
  const words = args.split(/\s+/).filter((word) => word !== "");
  const width = Math.min(Math.max((process.stdout.columns ?? 80) - 4, 40), 120);
  show(ctx, runtime.stats(width, words.filter((word) => word !== "json"), words.includes("json")));
}
