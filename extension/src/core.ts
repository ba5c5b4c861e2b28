// Repair without a host: `pi-repair/core`. No events, no files, no telemetry; configuration and input in,
// outcome out.

import { faithfulText, toText, withoutLoneSurrogates } from "./border.js";
import { type Compiled, compile, type PolicyProfile, RepairConfigError, type ToolOptions, transform } from "./config.js";
import { UnrepairableToolInputError } from "./error.js";
import type { ContentBlock, Schema } from "./host.js";
import { loadNative, NativeUnavailableError } from "./native.js";
import { type Answer, type Change, holds, type Issue, refusedAtOwner, type Refused } from "./prepare.js";

export { NativeUnavailableError, RepairConfigError, UnrepairableToolInputError };
export { RepairLifecycle, type RepairFeedback, type RepairLifecycleOptions, stableSerialize } from "./lifecycle.js";
export type { Answer, Change, Issue, Refused, Repaired } from "./prepare.js";
export type { FieldPreprocessor, Limits, PolicyProfile, Preprocessor, Selector, StructuralPreprocessor, ToolOptions } from "./config.js";
export type { Schema } from "./host.js";

/** A change as owners report it. */
export interface RepairChange {
  ruleId: string;
  stage: string;
  note: string;
  pointer: string;
  operations: Change["operations"];
}

export interface RepairPipelineConfig extends ToolOptions {
  toolName: string;
  schema: Schema;
  ownerPrepareArguments?: (input: unknown) => unknown;
  /** Hears the result once; what it throws changes nothing. */
  onOutcome?: (result: RepairPipelineResult) => void;
}

export interface RepairPipelineResult {
  outcome: "valid" | "repaired" | "unrepairable";
  /** The very same input unless it was repaired. */
  args: unknown;
  policy: PolicyProfile;
  changes: RepairChange[];
  issues: Issue[];
  reason?: string;
  fingerprint?: string;
  /** What the model is told of a refusal. */
  retryMessage?: string;
  /** What the model is told of a repair, as one `<repair_note>` block. */
  note?: string;
}

const compiled = new WeakMap<object, Map<string, Compiled>>();

/** The compiled tool of a configuration, from the last time it was asked for. */
function compiledFor(config: RepairPipelineConfig): Compiled {
  if (typeof config !== "object" || config === null) throw new RepairConfigError("give the pipeline a config, { toolName, schema }");
  const { schema, toolName, policy, modelId, provider, rootField, limits, preprocessors } = config;
  const key = keyOf([toolName, policy, modelId, provider, rootField, limits, preprocessors]);
  const isKnown = key !== undefined && typeof schema === "object" && schema !== null;
  if (!isKnown) return compile(toolName, schema, config);
  const known = compiled.get(schema) ?? new Map<string, Compiled>();
  compiled.set(schema, known);
  const found = known.get(key);
  if (found !== undefined) return { ...found, structural: (preprocessors ?? []).filter((one) => one.kind === "structural") as Compiled["structural"] };
  const made = compile(toolName, schema, config);
  if (known.size > 32) known.clear();
  known.set(key, made);
  return made;
}

/** Options as text that tells them from others; undefined where they have none. */
function keyOf(options: unknown[]): string | undefined {
  try {
    return JSON.stringify(options, (_key, value) => (value instanceof RegExp ? String(value) : value));
  } catch {
    return undefined;
  }
}

/**
 * Repairs arguments by a tool's schema and configuration.
 *
 * Throws {@link RepairConfigError} for a configuration that cannot be used and {@link NativeUnavailableError}
 * where the engine does not run; never for an input.
 */
export function runRepairPipeline({ input, config }: { input: unknown; config: RepairPipelineConfig }): RepairPipelineResult {
  const result = pipeline(input, config);
  try {
    config.onOutcome?.(result);
  } catch {
    // A reporter's failure is none of the call's.
  }
  return result;
}

function pipeline(input: unknown, config: RepairPipelineConfig): RepairPipelineResult {
  const { session, structural, context } = compiledFor(config);
  const policy = config.policy ?? "adaptive";
  const owned = hook(config.ownerPrepareArguments, input);
  const { value, changes: own, failed } = transform(structural, owned);
  const left = { outcome: "valid", args: input, policy, changes: [], issues: [] } as RepairPipelineResult;
  if (failed !== undefined) return { ...left, ...refused(refusedAtOwner(config.toolName, failed)) };
  const text = toText(value);
  if (text === undefined) return left;
  const again = (seen: string) => session.repair(config.toolName, seen, context);
  const answered = again(text);
  const answer: Answer | null = answered === null ? null : JSON.parse(answered);
  if (answer !== null && faithfulText(value) === undefined) return left;
  if (answer === null || !holds(value, text, answer, again)) {
    const same = value === input || (value === owned && text === toText(input));
    return same ? left : { ...left, outcome: "repaired", args: value, changes: own.map(shown) };
  }
  if (answer.outcome === "unrepairable") return { ...left, ...refused(answer) };
  const changes = [...own, ...answer.changes].map(shown);
  return { ...left, outcome: "repaired", args: answer.args, changes, ...(answer.note === null ? {} : { note: answer.note }) };
}

function refused({ reason, fingerprint, issues, message: retryMessage }: Refused): Partial<RepairPipelineResult> {
  return { outcome: "unrepairable", reason, fingerprint, issues, retryMessage };
}

function hook(own: ((input: unknown) => unknown) | undefined, input: unknown): unknown {
  if (own === undefined) return input;
  try {
    return own(input);
  } catch {
    return input;
  }
}

const shown = ({ rule, stage, note, pointer, operations }: Change): RepairChange => ({ ruleId: rule, stage, note, pointer, operations });

/** As {@link runRepairPipeline}, in the shape of pi-repair-layer's first interface. */
export function repairToolInput(toolName: string, schema: Schema, input: unknown, options: ToolOptions = {}): {
  args: unknown;
  repaired: boolean;
  notes: string[];
  rules: string[];
} {
  const result = runRepairPipeline({ input, config: { ...options, toolName, schema } });
  if (result.outcome === "unrepairable") {
    throw new UnrepairableToolInputError({
      outcome: "unrepairable", reason: result.reason ?? "misfit", message: result.retryMessage ?? "", issues: result.issues,
      expected: "", fingerprint: result.fingerprint ?? "",
    });
  }
  const { args, changes } = result;
  return { args, repaired: result.outcome === "repaired", notes: changes.map((it) => it.note), rules: changes.map((it) => it.ruleId) };
}

const ANY: Schema = {};

/**
 * Reads raw argument text: strict JSON as it is, or with the liberties that the catalogue lists.
 * `recovered` says whether any was taken; `error` why the text cannot be read. Half a surrogate pair is
 * read where it stands in strict JSON, as JavaScript reads it, and is refused elsewhere.
 */
export function recoverEnvelope(text: string, options: Pick<ToolOptions, "policy" | "limits"> = {}):
  | { value: unknown; recovered: boolean; changes: RepairChange[] }
  | { error: string; reason: string } {
  if (typeof text !== "string") return { error: "The arguments are no text.", reason: "unreadable" };
  const { session, context } = compiledFor({ toolName: "text", schema: ANY, ...options });
  const read = (seen: string) => session.repair("text", seen, context);
  const whole = text.isWellFormed();
  // As a text in JSON, half a pair is an escape, which the engine reads and refuses by name.
  const answered = read(whole ? text : JSON.stringify(text));
  if (answered === null) return { value: JSON.parse(text), recovered: false, changes: [] };
  const answer: Answer = JSON.parse(answered);
  if (answer.outcome === "unrepairable") {
    const valid = answer.reason === "lone-surrogate" && read(withoutLoneSurrogates(text.toWellFormed())) === null;
    return valid ? { value: JSON.parse(text), recovered: false, changes: [] } : { error: answer.message, reason: answer.reason };
  }
  return { value: answer.args, recovered: true, changes: answer.changes.map(shown) };
}

export interface ResolvedPolicy {
  profile: PolicyProfile;
  grammarMode: "off" | "observe" | "strip" | "recover";
  unknownGrammarText: "preserve" | "strip";
}

/** What a profile and its overrides come to. */
export function resolveRepairPolicy(
  profile: PolicyProfile = "adaptive",
  overrides: { grammarMode?: ResolvedPolicy["grammarMode"]; unknownGrammarText?: ResolvedPolicy["unknownGrammarText"] } = {},
): ResolvedPolicy {
  const session = new (loadNative().Session)();
  const above = {
    policyProfile: profile,
    ...(overrides.grammarMode === undefined ? {} : { grammarRecovery: overrides.grammarMode }),
    ...(overrides.unknownGrammarText === undefined ? {} : { unknownGrammarText: overrides.unknownGrammarText }),
  };
  const { resolved, diagnostics } = JSON.parse(session.configure(null, JSON.stringify(above)));
  if (diagnostics.length > 0) throw new RepairConfigError(diagnostics.join("; "));
  return { profile: resolved.policy, grammarMode: resolved.grammar, unknownGrammarText: resolved.unknownText };
}

/** One block with a line for each note; empty if there are none. Nothing in a note can close it. */
export function formatRepairNotes(notes: readonly string[]): string {
  const lines = [...new Set(notes)].map((note) => String(note).toWellFormed().replaceAll("<", "‹").replaceAll(">", "›").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").trim());
  return lines.length === 0 ? "" : `<repair_note>\n${lines.map((line) => `- ${line}`).join("\n")}\n</repair_note>`;
}

/** The content with the block before it; unchanged if it is there already, or there is nothing to say. */
export function attachRepairNotes<T extends ContentBlock>(content: readonly T[], notes: readonly string[]): T[] {
  const text = formatRepairNotes(notes);
  const there = content.some((block) => block?.type === "text" && block.text === text);
  return text === "" || there ? [...content] : [{ type: "text", text } as T, ...content];
}
