// Where extensions that wrap their own tools find the session of the installed one, if there is one.

import { toText } from "./border.js";
import type { Runtime } from "./runtime.js";

const KEY = Symbol.for("pi-repair.session.2");

interface Hub {
  /** Of every session of this process in which pi-repair is at work. */
  runtimes: Set<Runtime>;
  /** Tools of other extensions that wish to be compiled with a configuration of their own, by {@link keyOf}. */
  configs: Map<string, unknown>;
}

/** What a tool is known by to all sessions: another tool of its name has another schema. */
export const keyOf = (name: string, schema: unknown): string => `${name}\n${toText(schema)}`;

/** Modules may be loaded once for each extension, so what they share stands on the global object. */
export function hub(): Hub {
  const place = globalThis as unknown as Record<symbol, Hub | undefined>;
  place[KEY] ??= { runtimes: new Set(), configs: new Map() };
  return place[KEY];
}

/**
 * The session that prepares a call with just these arguments. Where sessions stand side by side in one process,
 * it is the one that said it starts this call, and none if that is not certain.
 */
export function sessionOf(args: unknown): Runtime | undefined {
  const all = [...hub().runtimes];
  if (all.length <= 1) return all[0];
  const starting = typeof args === "object" && args !== null ? all.filter((runtime) => runtime.startingArgs === args) : [];
  return starting.length === 1 ? starting[0] : undefined;
}
