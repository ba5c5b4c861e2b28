// For extensions with tools of their own: `pi-repair/pi`.

import { type Compiled, compile, configOf, RepairConfigError, type ToolOptions, transform } from "./config.js";
import { UnrepairableToolInputError } from "./error.js";
import type { ToolDefinition, ToolResult } from "./host.js";
import { hub, keyOf, sessionOf } from "./hub.js";
import { NativeUnavailableError } from "./native.js";
import { type Answer, hookThenRepair, prepare, type Prepared, refusedAtOwner } from "./prepare.js";
import type { Runtime } from "./runtime.js";

export { NativeUnavailableError, RepairConfigError, UnrepairableToolInputError };
export type { Answer } from "./prepare.js";
export type { FieldPreprocessor, Limits, PolicyProfile, Preprocessor, Selector, StructuralPreprocessor, ToolOptions } from "./config.js";

export interface AdaptOptions extends ToolOptions {
  /** Hears what was done to a call, or why it was refused; what it throws changes nothing. */
  onOutcome?: (answer: Answer) => void;
  /** What becomes of a call that is refused; by default it fails with {@link UnrepairableToolInputError}. */
  unrepairable?: "throw" | "passthrough";
}

/** The name of pi-repair-layer for the same options. */
export type PiToolOwnerAdapterOptions = AdaptOptions;

/**
 * The definition with repair before the host's validation: the owner's own hook first, then the owner's
 * transforms, then the engine. Schema, executor and renderers stay the definition's own.
 *
 * Where pi-repair is installed as an extension, its session does the work: the user's settings count, the
 * note comes with the result, the call is in the stats. Without it the wrapper does the same alone, and
 * puts the note before the result itself.
 *
 * A tool written as a class keeps its methods and accessors; they run on the definition that was given.
 *
 * Throws {@link RepairConfigError} for a configuration that cannot be used. Where the engine does not run,
 * the definition comes back as it is, so that a missing module never costs a tool.
 */
export function adaptToolDefinition<D extends { name: string; parameters: object; execute: (...args: never[]) => unknown; prepareArguments?: (args: never) => unknown }>(
  definition: D,
  options: AdaptOptions = {},
): D {
  if (typeof definition !== "object" || definition === null) throw new RepairConfigError("give the definition of a tool, as an object");
  let alone: Compiled;
  try {
    alone = compile(definition.name, definition.parameters as never, options);
  } catch (error) {
    if (error instanceof NativeUnavailableError) return definition;
    throw error;
  }
  alone.session.matchByArguments();
  const given = definition as unknown as ToolDefinition;
  const shares = options.policy === undefined && options.limits === undefined && options.modelId === undefined;
  const key = keyOf(definition.name, definition.parameters);
  // Without one of its own a tool has the configuration of pi's tool of its name and shape.
  const config = configOf(options);
  if (shares && config !== undefined) hub().configs.set(key, config);
  const adapted = delegated(given, {
    prepareArguments: (args: unknown) => prepared(given, args, { alone, shares, options, key }),
    execute: (...args: unknown[]) => executed(given, alone, args),
  });
  return adapted as unknown as D;
}

/**
 * The definition with members of ours in place of its own. What a class gives it, methods and accessors, is
 * asked of the definition itself, so that private fields work; own members are copied.
 */
function delegated(definition: ToolDefinition, ours: Record<string, unknown>): object {
  const members = Object.create(null) as Record<PropertyKey, PropertyDescriptor>;
  const source = definition as unknown as Record<PropertyKey, unknown>;
  for (let holder: object | null = definition; holder !== null && holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const key of Reflect.ownKeys(holder)) {
      const found = Object.getOwnPropertyDescriptor(holder, key);
      if (found === undefined || key === "constructor" || key in members) continue;
      const copied = holder === definition && "value" in found;
      members[key] = copied
        ? { ...found, writable: true, configurable: true }
        : { get: () => bound(source[key], definition), set: (value) => void (source[key] = value), enumerable: true, configurable: true };
    }
  }
  for (const [key, value] of Object.entries(ours)) members[key] = { value, writable: true, enumerable: true, configurable: true };
  return Object.create(Object.getPrototypeOf(definition), members);
}

const bound = (value: unknown, owner: object): unknown => (typeof value === "function" ? value.bind(owner) : value);

interface Wrapped {
  alone: Compiled;
  shares: boolean;
  options: AdaptOptions;
  key: string;
}

function prepared(definition: ToolDefinition, args: unknown, wrapped: Wrapped): unknown {
  const own = definition.prepareArguments;
  const session = wrapped.shares ? sessionOf(args) : undefined;
  const hook = own && ((given: unknown) => own.call(definition, given));
  if (!repairs(session, wrapped)) return hook ? hook(args) : args;
  return hookThenRepair(hook, args, (given) => repaired(definition, given, wrapped, session));
}

/** Whether calls are repaired at all: the user's setting, and not where the call was refused already. */
function repairs(session: Runtime | undefined, { shares }: Wrapped): boolean {
  if (session !== undefined) return session.settings.repair && !session.isRefused();
  return !shares || [...hub().runtimes].every((one) => one.settings.repair);
}

function repaired(definition: ToolDefinition, given: unknown, { alone, options, key }: Wrapped, session: Runtime | undefined): unknown {
  // A session may have another tool of this name.
  const shared = session?.has(definition.name, key) ? session : undefined;
  const { value, changes, failed } = transform(alone.structural, given);
  const made: Prepared = failed === undefined
    ? prepare((shared ?? alone).session, definition.name, value, attempt)
    : { value: given, answer: refusedAtOwner(definition.name, failed) };
  shared?.flush();
  const { answer } = made;
  if (answer === undefined) return changes.length > 0 ? value : given;
  attempt(() => options.onOutcome?.(answer));
  if (answer.outcome === "repaired") return made.value;
  if (options.unrepairable === "passthrough" || session?.switches.passthrough) return given;
  throw new UnrepairableToolInputError(answer);
}

/** Runs what must not cost the call. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** pi numbers the calls that a tool makes below the call of that tool; a note would become part of a script's value. */
const NESTED = /\/\d+$/;

/** Runs the tool. What we do before and after it never makes a failure of what succeeded. */
async function executed(definition: ToolDefinition, { session }: Compiled, args: unknown[]): Promise<unknown> {
  const [id, params] = args;
  const known = typeof id === "string" ? id : "";
  const nested = NESTED.test(known);
  // Without its arguments a call is not known again, and has no note.
  attempt(() => session.called(known, definition.name, JSON.stringify(params) ?? "null", nested));
  try {
    const result = await definition.execute(...args);
    return attempt(() => withNote(result, session.finished(known, nested, Date.now()))) ?? result;
  } finally {
    attempt(() => session.ended(known, Date.now()));
  }
}

/** The result with the note before it, or nothing where there is none to add. */
function withNote(result: ToolResult, note: string | null): ToolResult | undefined {
  if (note === null || !Array.isArray(result?.content)) return undefined;
  const content = { value: [{ type: "text", text: JSON.parse(note).text }, ...result.content], writable: true, enumerable: true, configurable: true };
  return Object.create(Object.getPrototypeOf(result), { ...Object.getOwnPropertyDescriptors(result), content });
}
