// A tool owner's configuration: data for the engine, and functions of the owner's own.

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

/** Compiles one tool; throws {@link RepairConfigError} where schema or configuration cannot be used. */
export function compile(name: string, schema: Schema, options: ToolOptions, host?: string): Compiled {
  const { Session } = loadNative();
  const session = new Session(host ?? null);
  const config = configOf(options);
  let tools: string;
  try {
    tools = JSON.stringify({ tools: [{ name, schema, origin: "typebox", ...(config === undefined ? {} : { config }) }] });
  } catch (error) {
    throw new RepairConfigError(`the schema of ${name} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  const [left] = JSON.parse(session.setTools(tools));
  if (left !== undefined) throw new RepairConfigError(`${name}: ${left.says}`);
  if (options.policy !== undefined) session.configure(null, JSON.stringify({ policyProfile: options.policy }));
  if (options.modelId !== undefined) session.setModel(options.provider ?? "", options.modelId, Date.now());
  const context = options.limits === undefined ? null : JSON.stringify({ limits: options.limits });
  return { session, structural: (options.preprocessors ?? []).filter(isStructural), context };
}

/** Runs the owner's transforms on a copy; the value itself where none applies. */
export function transform(structural: StructuralPreprocessor[], given: unknown): { value: unknown; changes: Change[] } {
  let value = given;
  const changes: Change[] = [];
  for (const one of structural) {
    const copy = { root: value === given ? clone(given) : value };
    if (copy.root === undefined) return { value: given, changes: [] };
    for (const [parent, key, pointer] of places(copy, one.selector)) {
      const made = one.apply(parent[key]);
      if (made === undefined) continue;
      parent[key] = made.value;
      const operations = [{ op: "replace", path: pointer, value: made.value }];
      changes.push({ rule: one.ruleId, stage: "owner-hook", pointer, operations, note: made.note });
      value = copy.root;
    }
    if (changes.length > 0) value = copy.root;
  }
  return { value, changes };
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
      const value = parent[key];
      if (typeof value !== "object" || value === null) return [];
      const holder = value as Holder;
      if (segment === "*") return Array.isArray(value) ? value.map((_, index) => [holder, String(index), `${pointer}/${index}`]) : [];
      if (Array.isArray(value) || !(last || Object.hasOwn(holder, segment))) return [];
      return [[holder, segment, `${pointer}/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`]];
    });
  }
  return found;
}
