// Calls that a model printed as text: `pi-repair/grammar`. Pure: texts in, findings out.

import type { Preprocessor } from "./config.js";
import { lend } from "./border.js";
import { configOf, readable, RepairConfigError } from "./config.js";
import type { Schema } from "./host.js";
import { loadNative, NativeUnavailableError, type NativeSession } from "./native.js";
import type { Change } from "./prepare.js";

export { NativeUnavailableError, RepairConfigError };

export type GrammarMode = "off" | "observe" | "strip" | "recover";

export interface GrammarTool {
  name: string;
  schema: Schema;
  preprocessors?: readonly Preprocessor[];
}

export interface GrammarOptions {
  /** The tools that calls may be for; by default none, so that nothing is promoted. */
  tools?: readonly GrammarTool[];
  mode?: GrammarMode;
  unknownTools?: "preserve" | "strip";
  families?: readonly string[];
  model?: string;
  provider?: string;
  /** Why the model stopped; nothing is promoted unless it is `stop`, which is also the default. */
  stopReason?: string;
  /** How many native calls the message holds. */
  nativeCalls?: number;
}

export interface Leak {
  /** Which text. */
  part: number;
  /** Where in that text: start and end, in UTF-16 code units as JavaScript counts them. */
  range: [number, number];
  family: string;
  spelling: string;
  state: "whole" | "damaged" | "cut-off" | "dangling" | "cut-marker";
  /** The registered tools that it names. */
  tools: string[];
  action: "observed" | "preserved" | "left-alone" | "removed" | "promoted";
  /** The gates that keep it from running. */
  closed: string[];
  refused: string[];
}

export interface Treatment {
  /** The texts as they are to be. */
  texts: string[];
  leaks: Leak[];
  promoted: { name: string; args: unknown; family: string; changes: Change[] }[];
}

/**
 * What stands in the texts of a message, and what would be done about it. Half a surrogate pair in a text
 * stays what it is. Throws {@link RepairConfigError} for tools or options that cannot be used.
 */
export function treatTexts(texts: readonly string[], options: GrammarOptions = {}): Treatment {
  const { tools = [], ...rest } = options;
  const session = new (loadNative().Session)();
  const given = texts.map((text) => String(text ?? ""));
  const loan = lend({ mode: "observe", stopReason: "stop", ...rest, texts: given });
  if (loan === undefined) return { texts: given, leaks: [], promoted: [] };
  const entries = tools.map(({ name, schema, preprocessors }) => {
    const entry = { name, schema, origin: "typebox", strict: true, ...(preprocessors ? { config: configOf({ preprocessors }) } : {}) };
    return readable(name, entry).slice('{"tools":['.length, -"]}".length);
  });
  const [left] = JSON.parse(session.setTools(`{"tools":[${entries.join(",")}]}`));
  if (left !== undefined) throw new RepairConfigError(`${left.name}: ${left.says}`);
  const answer = JSON.parse(loan.back(scanned(session, loan.text)));
  return {
    texts: given.map((text, part) => answer.texts[part] ?? text),
    leaks: answer.leaks.map((leak: Leak) => ({ ...leak, range: unitsOf(given[leak.part] ?? "", leak.range) })),
    promoted: answer.promoted,
  };
}

function scanned(session: NativeSession, message: string): string {
  try {
    return session.scan(message);
  } catch (error) {
    throw new RepairConfigError(error instanceof Error ? error.message : String(error));
  }
}

/** The calls that stand in a text, and nothing done about them. */
export function parseToolGrammarLeaks(text: string, options: GrammarOptions = {}): Leak[] {
  return treatTexts([text], { ...options, mode: "observe" }).leaks;
}

/** A text without its leaks, and the calls of those that may run. */
export function recoverGrammarLeaks(text: string, options: GrammarOptions = {}): { text: string; calls: { name: string; args: unknown }[]; leaks: Leak[] } {
  const { texts, promoted, leaks } = treatTexts([text], { mode: "recover", ...options });
  return { text: texts[0] ?? text, calls: promoted.map(({ name, args }) => ({ name, args })), leaks };
}

/** A range of bytes as a range of code units. */
function unitsOf(text: string, [start, end]: [number, number]): [number, number] {
  const bytes = Buffer.from(text);
  const before = bytes.subarray(0, start).toString().length;
  return [before, before + bytes.subarray(start, end).toString().length];
}
