// For extensions with tools of their own: `pi-repair/pi`.

import { type Compiled, compile, configOf, RepairConfigError, type StructuralPreprocessor, type ToolOptions, transform } from "./config.js";
import { UnrepairableToolInputError } from "./error.js";
import type { ToolDefinition } from "./host.js";
import { hub } from "./hub.js";
import { NativeUnavailableError } from "./native.js";
import { type Answer, type Guard, hookThenRepair, prepare, type Prepared } from "./prepare.js";
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
 * Throws {@link RepairConfigError} for a configuration that cannot be used. Where the engine does not run,
 * the definition comes back as it is, so that a missing module never costs a tool.
 */
export function adaptToolDefinition<D extends { name: string; parameters: object; execute: (...args: never[]) => unknown; prepareArguments?: (args: never) => unknown }>(
  definition: D,
  options: AdaptOptions = {},
): D {
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
  // Without one of its own a tool has the configuration of pi's tool of its name and shape.
  const config = configOf(options);
  if (shares && config !== undefined) hub().configs.set(definition.name, config);
  const adapted = {
    ...given,
    prepareArguments: (args: unknown) => prepared(given, args, { alone, shares, options }),
    execute: (...args: unknown[]) => executed(given, alone, args),
  };
  return adapted as unknown as D;
}

interface Wrapped {
  alone: Compiled;
  shares: boolean;
  options: AdaptOptions;
}

function prepared(definition: ToolDefinition, args: unknown, wrapped: Wrapped): unknown {
  const own = definition.prepareArguments;
  const shared = wrapped.shares ? hub().runtime : undefined;
  const repairs = shared === undefined || (shared.settings.repair && !shared.isRefused());
  const hook = own && ((given: unknown) => own.call(definition, given));
  if (!repairs) return hook ? hook(args) : args;
  return hookThenRepair(hook, args, (given) => repaired(definition, given, wrapped, shared));
}

function repaired(definition: ToolDefinition, given: unknown, { alone, options }: Wrapped, shared: Runtime | undefined): unknown {
  const session = shared?.known.has(definition.name) ? shared.session : alone.session;
  const guard: Guard = (run) => {
    try {
      return run();
    } catch {
      return undefined;
    }
  };
  const { value, changed } = transformed(alone.structural, given);
  const made: Prepared = prepare(session, definition.name, value, guard);
  if (session !== alone.session) shared?.flush();
  const { answer } = made;
  if (answer === undefined) return changed ? value : given;
  guard(() => options.onOutcome?.(answer));
  if (answer.outcome === "repaired") return made.value;
  if (options.unrepairable === "passthrough" || shared?.switches.passthrough) return given;
  throw new UnrepairableToolInputError(answer);
}

function transformed(structural: StructuralPreprocessor[], owned: unknown): { value: unknown; changed: boolean } {
  if (structural.length === 0) return { value: owned, changed: false };
  try {
    const { value, changes } = transform(structural, owned);
    return { value, changed: changes.length > 0 };
  } catch {
    return { value: owned, changed: false };
  }
}

/** pi numbers the calls that a tool makes below the call of that tool; a note would become part of a script's value. */
const NESTED = /\/\d+$/;

async function executed(definition: ToolDefinition, { session }: Compiled, args: unknown[]): Promise<unknown> {
  const [id, params] = args;
  const known = typeof id === "string" ? id : "";
  const nested = NESTED.test(known);
  const now = () => Date.now();
  try {
    session.called(known, definition.name, JSON.stringify(params) ?? "null", nested);
  } catch {
    // Without its arguments a call is not known again, and has no note.
  }
  try {
    const result = await definition.execute(...args);
    const note = session.finished(known, nested, now());
    if (!note || !Array.isArray(result?.content)) return result;
    return { ...result, content: [{ type: "text", text: JSON.parse(note).text }, ...result.content] };
  } finally {
    session.ended(known, now());
  }
}
