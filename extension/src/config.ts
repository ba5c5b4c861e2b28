// A tool owner's configuration: data for the engine, and functions of the owner's own.

import { faithfulText, withoutLoneSurrogates } from "./border.js";
import type { Schema } from "./host.js";
import { loadNative, type NativeSession } from "./native.js";
import type { Change } from "./prepare.js";

export type Selector = `/${string}` | "";

/** What is done at a configured place before the schema is asked. */
export interface FieldPreprocessor {
  kind:
    | "alias" | "filesystem-path" | "filesystem-path-array" | "glob" | "string-or-array" | "scalar"
    | "anchor-bleed" | "grammar-tokens" | "html-entities" | "fold" | (string & {});
  selector: Selector;
  /** `alias`: the other names, exactly as models send them. */
  aliases?: readonly string[];
  /** `alias`: the types a value under another name may have. */
  accepts?: string | readonly string[];
  emptyEquivalentToMissing?: boolean;
  /** Models this is limited to; a regular expression counts by its plain text. */
  modelFamilies?: readonly (string | RegExp)[];
  providers?: readonly string[];
  [member: string]: unknown;
}

/** A transform of the owner's own; undefined where it does not apply. The result must still pass the schema. */
export interface StructuralPreprocessor {
  kind: "structural";
  selector: Selector;
  ruleId: string;
  apply: (value: unknown) => { value: unknown; note: string } | undefined;
}

export type Preprocessor = FieldPreprocessor | StructuralPreprocessor;

export type PolicyProfile = "conservative" | "adaptive" | "recover";

export interface Limits {
  input_bytes_max?: number;
  depth_max?: number;
  decodes_max?: number;
  passes_max?: number;
  changes_max?: number;
  work_max?: number;
}

export interface ToolOptions {
  preprocessors?: readonly Preprocessor[];
  /** The string field that takes bare text. */
  rootField?: string;
  policy?: PolicyProfile;
  modelId?: string;
  provider?: string;
  limits?: Limits;
}

/** A configuration that the engine cannot honour. */
export class RepairConfigError extends Error {
  override name = "RepairConfigError";
}

const isStructural = (one: Preprocessor): one is StructuralPreprocessor => one.kind === "structural" && typeof one.apply === "function";

/** The part of the options that is data, as the engine reads it. */
export function configOf(options: ToolOptions): object | undefined {
  const preprocessors = (options.preprocessors ?? []).filter((one) => !isStructural(one)).map((one) => ({
    ...one,
    ...((one as FieldPreprocessor).modelFamilies ? { modelFamilies: (one as FieldPreprocessor).modelFamilies!.map(familyOf) } : {}),
  }));
  if (preprocessors.length === 0 && options.rootField === undefined && options.preprocessors === undefined) return undefined;
  return { preprocessors, ...(options.rootField === undefined ? {} : { rootField: options.rootField }) };
}

function familyOf(family: string | RegExp): string {
  if (typeof family === "string") return family;
  const plain = family.source.replace(/\\([.\-/])/g, "$1");
  if (/^[\w.\-/ ]+$/.test(plain) && !/(?<!\\)\./.test(family.source)) return plain;
  throw new RepairConfigError(`the model family ${family} is no plain text; name the family, such as "kimi-k2"`);
}

/** A tool compiled on its own. */
export interface Compiled {
  session: NativeSession;
  structural: StructuralPreprocessor[];
  context: string | null;
}

/** Compiles one tool; throws {@link RepairConfigError} where name, schema or options cannot be used. */
export function compile(name: string, schema: Schema, options: ToolOptions, host?: string): Compiled {
  const { Session } = loadNative();
  checkOptions(name, schema, options);
  try {
    return compiled(new Session(host ?? null), name, schema, options);
  } catch (error) {
    if (error instanceof RepairConfigError) throw error;
    throw new RepairConfigError(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

function compiled(session: NativeSession, name: string, schema: Schema, options: ToolOptions): Compiled {
  const config = configOf(options);
  const [left] = JSON.parse(session.setTools(readable(name, { name, schema, origin: "typebox", strict: true, ...(config === undefined ? {} : { config }) })));
  if (left !== undefined) throw new RepairConfigError(`${name}: ${left.says}`);
  if (options.policy !== undefined) {
    const [wrong] = JSON.parse(session.configure(null, JSON.stringify({ policyProfile: options.policy }))).diagnostics;
    if (wrong !== undefined) throw new RepairConfigError(`${name}: write the policy as "conservative", "adaptive" or "recover", not ${shown(options.policy)}`);
  }
  if (options.modelId !== undefined) session.setModel(options.provider ?? "", options.modelId, Date.now());
  const context = options.limits === undefined ? null : JSON.stringify({ limits: options.limits });
  // Limits are read with each call; wrong ones are an error of the configuration, not of a call.
  if (context !== null) session.repair(name, "null", context);
  return { session, structural: (options.preprocessors ?? []).filter(isStructural), context };
}

/** A tool's entry as text that the engine can read, or what to change about it. */
export function readable(name: string, entry: object): string {
  let text: string | undefined;
  try {
    text = JSON.stringify({ tools: [entry] });
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new RepairConfigError(`${name}: write the schema and the preprocessors as plain JSON (${why})`);
  }
  const wrong = unreadable(text);
  if (wrong !== undefined) throw new RepairConfigError(`${name.toWellFormed()}: ${wrong}`);
  return text;
}

/** What to change about a tool's entry whose text the engine cannot read. */
export function unreadable(text: string): string | undefined {
  if (withoutLoneSurrogates(text) !== text) return "take the half of a surrogate pair out of the name, the schema or the preprocessors";
  return levelsOf(text) > LEVELS_MAX ? `nest the schema less deep (the limit is ${LEVELS_MAX} levels)` : undefined;
}

/** How deep the engine reads JSON of ours. */
const LEVELS_MAX = 127;

/** How deep JSON text nests. */
function levelsOf(text: string): number {
  let [deepest, level] = [0, 0];
  for (const [sign] of text.matchAll(/"(?:[^"\\]+|\\.)*"|[[{]|[\]}]/g)) {
    if (sign === "{" || sign === "[") deepest = Math.max(deepest, (level += 1));
    else if (sign === "}" || sign === "]") level -= 1;
  }
  return deepest;
}

/** Says what to change about options that only types forbid, since many owners write plain JavaScript. */
function checkOptions(name: string, schema: Schema, options: ToolOptions): void {
  const wrong = (says: string) => {
    throw new RepairConfigError(`${typeof name === "string" && name !== "" ? name : "a tool"}: ${says}`);
  };
  if (typeof name !== "string" || name === "") wrong(`give the tool a name; it is ${shown(name)}`);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) wrong(`give a JSON Schema as an object; it is ${shown(schema)}`);
  if (typeof options !== "object" || options === null) wrong(`give the options as an object; they are ${shown(options)}`);
  for (const key of ["rootField", "modelId", "provider", "policy"] as const) {
    if (options[key] !== undefined && typeof options[key] !== "string") wrong(`write \`${key}\` as a text; it is ${shown(options[key])}`);
  }
  const { limits = {}, preprocessors = [] } = options;
  if (typeof limits !== "object" || limits === null) wrong(`write \`limits\` as an object; it is ${shown(limits)}`);
  for (const [limit, most] of Object.entries(limits)) {
    if (most !== undefined && (!Number.isSafeInteger(most) || (most as number) < 0)) wrong(`write the limit \`${limit}\` as a whole number; it is ${shown(most)}`);
  }
  if (!Array.isArray(preprocessors)) wrong(`write \`preprocessors\` as a list; it is ${shown(preprocessors)}`);
  for (const one of preprocessors as readonly unknown[]) checkPreprocessor(one as Preprocessor, wrong);
}

function checkPreprocessor(one: Preprocessor, wrong: (says: string) => void): void {
  if (typeof one !== "object" || one === null || typeof one.kind !== "string") return wrong(`write each preprocessor as an object with a \`kind\`; one is ${shown(one)}`);
  // The one transform that the engine itself has under this kind, from pi-repair-layer; its place is known.
  if ((one as FieldPreprocessor).ruleId === "foldFlatEditFields" && !isStructural(one)) return;
  if (typeof one.selector !== "string") wrong(`give the preprocessor ${one.kind} a \`selector\`, a JSON Pointer such as "/path"; it is ${shown(one.selector)}`);
  const { modelFamilies } = one as FieldPreprocessor;
  if (modelFamilies !== undefined && !Array.isArray(modelFamilies)) wrong(`write \`modelFamilies\` of the preprocessor ${one.kind} as a list; it is ${shown(modelFamilies)}`);
  if (one.kind === "structural" && !isStructural(one)) wrong(`give the preprocessor structural an \`apply\`, a function; it is ${shown((one as FieldPreprocessor).apply)}`);
  if (!isStructural(one)) return;
  if (typeof one.ruleId !== "string" || one.ruleId === "") wrong(`give the preprocessor structural a \`ruleId\`; it is ${shown(one.ruleId)}`);
  if (one.selector !== "" && !one.selector.startsWith("/")) wrong(`write the selector of ${one.ruleId} as "" or with a "/" before each name; it is ${shown(one.selector)}`);
}

/** A wrong value in a line about it. */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "function" ? "a function" : `${String(value)}`;
}

/** What the owner's transforms came to. */
export interface Transformed {
  value: unknown;
  changes: Change[];
  /** The rule of the transform that failed, or whose result JSON cannot say; the call must not run. */
  failed?: string;
}

/** Runs the owner's transforms on a copy; the value itself where none applies. Throws nothing. */
export function transform(structural: StructuralPreprocessor[], given: unknown): Transformed {
  let value = given;
  const changes: Change[] = [];
  for (const one of structural) {
    const copy = { root: value === given ? clone(given) : value };
    if (copy.root === undefined) return { value: given, changes: [] };
    try {
      changes.push(...transformed(one, copy));
      if (changes.length > 0) value = copy.root;
      if (value !== given && faithfulText(value) === undefined) return { value: given, changes: [], failed: one.ruleId };
    } catch {
      return { value: given, changes: [], failed: one.ruleId };
    }
  }
  return { value, changes };
}

function transformed(one: StructuralPreprocessor, copy: { root: unknown }): Change[] {
  const changes: Change[] = [];
  for (const [parent, key, pointer] of places(copy, one.selector)) {
    // A key such as `__proto__` is a member like others, and never the one that every object inherits.
    const made = one.apply(Object.hasOwn(parent, key) ? parent[key] : undefined);
    if (made === undefined || made === null) continue;
    const { value, note } = made;
    Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
    changes.push({ rule: one.ruleId, stage: "owner-hook", pointer, operations: [{ op: "replace", path: pointer, value }], note: String(note ?? "") });
  }
  return changes;
}

function clone(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

type Holder = Record<string, unknown>;

/** The places that a selector names below `copy.root`: holder, key and pointer. */
function places(copy: { root: unknown }, selector: Selector): [Holder, string, string][] {
  let found: [Holder, string, string][] = [[copy as Holder, "root", ""]];
  const segments = selector.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  for (const [at, segment] of segments.entries()) {
    const last = at === segments.length - 1;
    found = found.flatMap(([parent, key, pointer]): [Holder, string, string][] => {
      const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
      if (typeof value !== "object" || value === null) return [];
      const holder = value as Holder;
      if (segment === "*") return Array.isArray(value) ? value.map((_, index) => [holder, String(index), `${pointer}/${index}`]) : [];
      if (Array.isArray(value) || !(last || Object.hasOwn(holder, segment))) return [];
      return [[holder, segment, `${pointer}/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`]];
    });
  }
  return found;
}
