// One session of pi with the engine beside it: settings, tools, calls on their way, and the local records.

import { join } from "node:path";
import { toText } from "./border.js";
import { UnrepairableToolInputError } from "./error.js";
import { Log, readText, replaceFile } from "./files.js";
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
  const telemetry = env.PI_TOOL_REPAIR_TELEMETRY ?? "";
  const off = /^(off|0|false|no)$/i.test(telemetry);
  const on = (text: string | undefined) => text !== undefined && !/^(|off|0|false|no)$/i.test(text);
  const named = off || /^(|on|1|true|yes)$/i.test(telemetry) ? undefined : telemetry;
  return {
    ...(env.PI_TOOL_REPAIR_SETTINGS ? { settingsFile: env.PI_TOOL_REPAIR_SETTINGS } : {}),
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
  /** Names of the tools that are compiled. */
  known = new Set<string>();

  constructor(native: Native, agentDir: string, version: string | undefined, switches: Switches) {
    this.native = native;
    this.session = new native.Session(version ?? null);
    this.switches = switches;
    this.settingsFile = switches.settingsFile ?? join(agentDir, "tool-repair", "settings.json");
    this.telemetry = new Log(switches.telemetryFile ?? join(agentDir, "tool-repair", "telemetry.jsonl"));
    this.configure();
  }

  /** Reads the settings file; what is odd about it stands in `diagnostics`. */
  configure(): void {
    const text = readText(this.settingsFile);
    const above = this.switches.telemetryOff ? '{"telemetry":false}' : null;
    const answer = JSON.parse(this.session.configure(text ?? null, above));
    this.settings = answer.settings;
    this.diagnostics = answer.diagnostics;
    if (text === undefined) this.diagnostics.push(`${this.settingsFile} cannot be read; defaults are used`);
  }

  /** Changes settings and saves them; what is wrong, if anything. */
  change(changes: Record<string, unknown>): string | undefined {
    const text = readText(this.settingsFile);
    if (text === undefined) return `${this.settingsFile} cannot be read; nothing was saved`;
    const answer = JSON.parse(this.native.saveSettings(text, JSON.stringify(changes)));
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

  /** Compiles the tools of the session, and says which cannot be used. */
  setTools(tools: ToolEntry[]): { name: string; says: string }[] {
    const entries = tools.flatMap((tool) => {
      const text = toText(tool);
      return text === undefined ? [] : [text];
    });
    const left = JSON.parse(this.session.setTools(`{"tools":[${entries.join(",")}]}`));
    const out = new Set(left.map((row: { name: string }) => row.name));
    this.known = new Set(tools.map((tool) => tool.name).filter((name) => !out.has(name)));
    for (const row of left) this.say(`tool ${row.name} is left alone: ${row.says}`);
    return left;
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
    if (lines && !this.telemetry.append(lines)) this.say("telemetry cannot be written; it is off for this session");
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

  private report(tool: string, answer: Answer): void {
    if (answer.outcome === "repaired") this.say(`${tool}: repaired (${answer.changes.map((it) => it.rule).join(", ")})`);
    else this.say(`${tool}: refused (${answer.reason})`);
  }

  /** The page of `/repair-stats`. */
  stats(width: number, by: string[], json: boolean): string {
    this.flush();
    let log: Uint8Array = new Uint8Array();
    const text = readText(this.telemetry.file);
    if (typeof text === "string") log = Buffer.from(text);
    return this.native.stats(log, width, by, json);
  }
}
