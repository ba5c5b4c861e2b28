// One call's arguments through the engine, for every seam that has them as a JavaScript value.

import { isFaithful, toOutline, toText, withoutLoneSurrogates } from "./border.js";
import type { NativeSession } from "./native.js";

/** What a repair did, or why there is none. */
export type Answer = Repaired | Refused;

export interface Repaired {
  outcome: "repaired";
  args: unknown;
  changes: Change[];
  /** What the model is told; null where there is nothing to tell. */
  note: string | null;
  rules: string[];
  /** The registered tool, where a name was resolved. */
  tool?: string;
}

export interface Refused {
  outcome: "unrepairable";
  reason: string;
  /** What the reason is about: a key, a limit, a place, where a text stopped; a key is the model's own. */
  detail?: string | null;
  message: string;
  issues: Issue[];
  expected: string;
  fingerprint: string;
  tool?: string;
}

export interface Change {
  rule: string;
  stage: string;
  pointer: string;
  operations: { op: string; path: string; from?: string; value?: unknown }[];
  note: string;
}

export interface Issue {
  pointer: string;
  keyword: string;
  expected: string;
  got: string;
}

/** Runs what may panic: a panic costs the repair, never the call. */
export type Guard = <T>(run: () => T) => T | undefined;

/** What became of a value: the answer where one was taken, and what the host is to be given. */
export interface Prepared {
  value: unknown;
  answer?: Answer;
}

/** The very same value, unless the engine has an answer that holds for it. */
export function prepare(session: NativeSession, tool: string, given: unknown, guard: Guard): Prepared {
  const now = Date.now();
  const outline = toOutline(given);
  if (outline !== undefined && guard(() => session.passes(tool, outline, now)) === true) return { value: given };
  const text = toText(given);
  if (text === undefined) return { value: given };
  const answered = guard(() => session.prepare(tool, text, now));
  if (answered === undefined || answered === null) return { value: given };
  const answer: Answer = JSON.parse(answered);
  const taken = guard(() => holds(given, text, answer, (seen) => session.repair(tool, seen))) === true;
  guard(() => session.settle(taken, now));
  if (!taken) return { value: given };
  return { value: answer.outcome === "repaired" ? answer.args : given, answer };
}

/**
 * An answer holds only for a value that JSON can say; half a surrogate pair alone is no fault of a call.
 * `again` asks the engine about another text; null is its answer to what is to be left alone.
 */
export function holds(given: unknown, text: string, answer: Answer, again: (text: string) => string | null): boolean {
  if (!isFaithful(given, text)) return false;
  if (answer.outcome === "repaired" || answer.reason !== "lone-surrogate") return true;
  return again(withoutLoneSurrogates(text)) !== null;
}

/** A refusal of what the engine is never asked about, since the owner's own code failed. */
export function refusedAtOwner(tool: string, rule: string): Refused {
  const message = `Call to \`${tool}\` was not run: the tool could not prepare the arguments (${rule}). Send them as its schema says.`;
  return { outcome: "unrepairable", reason: "owner-transform", detail: rule, message, issues: [], expected: "", fingerprint: "" };
}

/** What an owner's hook makes of arguments. */
type Hook = ((args: unknown) => unknown) | undefined;

/**
 * The owner's hook, then `repair` on what it made. What the hook throws stands, as without us, unless the
 * arguments as they came can be mended: then it is asked again.
 */
export function hookThenRepair(hook: Hook, args: unknown, repair: (args: unknown) => unknown): unknown {
  if (hook === undefined) return repair(args);
  let owned: unknown;
  try {
    owned = hook(args);
  } catch (error) {
    const mended = repair(args);
    if (mended === args) throw error;
    return hook(mended);
  }
  return repair(owned);
}
