// One session of pi with the engine beside it: settings, tools, calls on their way, and the local records.

import { join } from "node:path";
import { lookedAt, toText } from "./border.js";
import { unreadable } from "./config.js";
import { UnrepairableToolInputError } from "./error.js";
import { isLog, Log, readBytes, readText, replaceFile } from "./files.js";
import { keyOf } from "./hub.js";
import type { Schema } from "./host.js";
import type { Native, NativeSession } from "./native.js";
import { type Answer, prepare } from "./prepare.js";

export interface Settings {
  repair: boolean;
  advisor: boolean;
  policyProfile: "conservative" | "adaptive" | "recover";
  grammarRecovery?: "off" | "observe" | "strip" | "recover";
  unknownGrammarText?: "preserve" | "strip";
  grammarAllowedTools: string[];
  showIndicator: boolean;
  showNotes: boolean;
  telemetry: boolean;
}

export interface SettingKey {
  name: string;
  accepts: string;
  says: string;
}

/** What is compiled for a tool. */
export interface ToolEntry {
  name: string;
  schema: Schema;
  origin: "typebox" | "json";
  config?: unknown;
  /** The provider was asked to send null for what is optional. */
  nullable?: boolean;
}

/** Switches of the environment. */
export interface Switches {
  settingsFile?: string;
  telemetryFile?: string;
  telemetryOff: boolean;
  passthrough: boolean;
  log: boolean;
}

export function switchesOf(env: Record<string, string | undefined>): Switches {
  const telemetry = env.PI_TOOL_REPAIR_TELEMETRY?.trim() ?? "";
  const settings = env.PI_TOOL_REPAIR_SETTINGS?.trim();
  const off = /^(off|0|false|no)$/i.test(telemetry);
  const on = (text: string | undefined) => text !== undefined && !/^(|off|0|false|no)$/i.test(text.trim());
  const named = off || /^(|on|1|true|yes)$/i.test(telemetry) ? undefined : telemetry;
  return {
    ...(settings ? { settingsFile: settings } : {}),
    ...(named === undefined ? {} : { telemetryFile: named }),
    telemetryOff: off,
    passthrough: on(env.PI_TOOL_REPAIR_PASSTHROUGH),
    log: on(env.PI_TOOL_REPAIR_LOG),
  };
}

const DEFAULTS: Settings = {
  repair: true, advisor: true, policyProfile: "adaptive", grammarAllowedTools: [],
  showIndicator: true, showNotes: false, telemetry: true,
};

/** No settings are as long as this, and no log that is cut from time to time. */
const SETTINGS_MAX = 1024 * 1024;
const LOG_MAX = 256 * 1024 * 1024;

/** A tool that is not compiled, and why. */
export interface LeftOut {
  name: string;
  says: string;
}

interface Entry {
  tool: ToolEntry;
  text: string;
}

export class Runtime {
  readonly native: Native;
  readonly session: NativeSession;
  readonly settingsFile: string;
  readonly switches: Switches;
  readonly telemetry: Log;
  settings: Settings = DEFAULTS;
  diagnostics: string[] = [];
  /** What the model is told of calls that were refused before the host looked at them, by id. */
  readonly refused = new Map<string, string>();
  /** The call whose arguments the host prepares next. */
  starting = "";
  /** Its arguments, as the host said when it started the call. */
  startingArgs: unknown;
  /** Names of the tools that are compiled. */
  known = new Set<string>();
  /** What they are known by to wrappers in other extensions. */
  private keys = new Set<string>();
  private readonly said = new Set<string>();
  private readonly version: string | null;

  constructor(native: Native, agentDir: string, version: string | undefined, switches: Switches) {
    this.native = native;
    this.version = version ?? null;
    this.session = new native.Session(this.version);
    this.switches = switches;
    this.settingsFile = switches.settingsFile ?? join(agentDir, "tool-repair", "settings.json");
    this.telemetry = new Log(switches.telemetryFile ?? join(agentDir, "tool-repair", "telemetry.jsonl"));
    this.configure();
  }

  /** Reads the settings file; what is odd about it stands in `diagnostics`. */
  configure(): void {
    const { text, wrong } = readText(this.settingsFile, SETTINGS_MAX);
    const above = this.switches.telemetryOff ? '{"telemetry":false}' : null;
    const answer = JSON.parse(this.session.configure(text, above));
    this.settings = answer.settings;
    this.diagnostics = answer.diagnostics;
    if (wrong !== undefined) this.diagnostics.push(`${this.settingsFile} cannot be read (${wrong}); defaults are used`);
    const log = this.settings.telemetry ? isLog(this.telemetry.file) : undefined;
    if (log !== undefined) this.diagnostics.push(`${this.telemetry.file} cannot be written (${log}); nothing is counted`);
  }

  /** Changes settings and saves them; what is wrong, if anything. */
  change(changes: Record<string, unknown>): string | undefined {
    const { text, wrong } = readText(this.settingsFile, SETTINGS_MAX);
    if (wrong !== undefined) return `${this.settingsFile} cannot be read (${wrong}); nothing was saved`;
    const answer = JSON.parse(this.native.saveSettings(text, lookedAt(changes)));
    if (answer.error !== undefined) return answer.error;
    try {
      replaceFile(this.settingsFile, answer.text);
    } catch (error) {
      return `${this.settingsFile} cannot be written: ${error instanceof Error ? error.message : error}`;
    }
    this.configure();
    return undefined;
  }

  settingKeys(): SettingKey[] {
    return JSON.parse(this.native.settingKeys());
  }

  /** Compiles the tools of the session, and says which cannot be used; the others are none the worse for it. */
  setTools(tools: ToolEntry[]): LeftOut[] {
    const left: LeftOut[] = [];
    let entries = tools.flatMap((tool): Entry[] => {
      const text = toText(tool);
      if (text === undefined) left.push({ name: tool.name, says: "its schema is no JSON" });
      return text === undefined ? [] : [{ tool, text }];
    });
    const listOf = (some: Entry[]) => `{"tools":[${some.map(({ text }) => text).join(",")}]}`;
    try {
      left.push(...JSON.parse(this.session.setTools(listOf(entries))));
    } catch {
      // One that the engine cannot even read spoils the list; each is tried by itself, and those are left out.
      const probe = new this.native.Session(this.version);
      entries = entries.filter((entry) => isReadable(probe, entry, listOf([entry]), left));
      left.push(...JSON.parse(this.session.setTools(listOf(entries))));
    }
    const out = new Set(left.map((row) => row.name));
    const known = entries.map(({ tool }) => tool).filter((tool) => !out.has(tool.name));
    this.known = new Set(known.map((tool) => tool.name));
    this.keys = new Set(known.map((tool) => keyOf(tool.name, tool.schema)));
    for (const row of left) this.sayOnce(`tool ${row.name} is left alone: ${row.says}`);
    return left;
  }

  /** Whether just this tool is compiled here; `key` is its {@link keyOf}. */
  has(tool: string, key: string): boolean {
    return this.known.has(tool) && this.keys.has(key);
  }

  /**
   * What the host is to be given in place of `given`: the very same value unless something was repaired.
   * Throws {@link UnrepairableToolInputError} for a call that must not run.
   */
  prepare(tool: string, given: unknown, passthrough = this.switches.passthrough): unknown {
    if (!this.settings.repair || this.isRefused() || !this.known.has(tool)) return given;
    const { value, answer } = prepare(this.session, tool, given, (run) => this.guard(run));
    if (answer === undefined) return value;
    this.flush();
    this.report(tool, answer);
    if (answer.outcome === "repaired" || passthrough) return value;
    throw new UnrepairableToolInputError(answer);
  }

  /** Whether the call that is prepared now was refused already: its arguments are none of the model's. */
  isRefused(): boolean {
    return this.refused.has(this.starting);
  }

  /** Writes the records that wait. */
  flush(): void {
    if (!this.settings.telemetry) return;
    const lines = this.guard(() => this.session.takeRecords(Date.now()));
    if (lines && !this.telemetry.append(lines)) this.sayOnce(`${this.telemetry.file} cannot be written; nothing more is counted in this session`);
  }

  /** Runs what may panic: a panic costs the repair, never the call. */
  guard<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      this.say(`the engine failed: ${error instanceof Error ? error.message : error}`);
      return undefined;
    }
  }

  /** A line on standard error, where that was asked for; never a value. */
  say(line: string): void {
    if (this.switches.log) process.stderr.write(`[pi-repair] ${line}\n`);
  }

  /** As {@link say}, for what would be said again with every turn. */
  sayOnce(line: string): void {
    if (this.said.has(line)) return;
    this.said.add(line);
    this.say(line);
  }

  private report(tool: string, answer: Answer): void {
    if (answer.outcome === "repaired") this.say(`${tool}: repaired (${answer.changes.map((it) => it.rule).join(", ")})`);
    else this.say(`${tool}: refused (${answer.reason})`);
  }

  /** The page of `/repair-stats`. */
  stats(width: number, by: string[], json: boolean): string {
    this.flush();
    return this.native.stats(readBytes(this.telemetry.file, LOG_MAX).bytes ?? new Uint8Array(), width, by, json);
  }
}

/** Whether the engine can read the list of just this tool; where not, `left` has one row more. */
function isReadable(probe: NativeSession, { tool }: Entry, list: string, left: LeftOut[]): boolean {
  try {
    probe.setTools(list);
    return true;
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    left.push({ name: tool.name.toWellFormed(), says: unreadable(list) ?? says });
    return false;
  }
}
