// Where extensions that wrap their own tools find the session of the installed one, if there is one.

import type { Runtime } from "./runtime.js";

const KEY = Symbol.for("pi-repair.session.1");

interface Hub {
  runtime?: Runtime;
  /** Tools of other extensions that wish to be compiled with a configuration of their own. */
  configs: Map<string, unknown>;
}

/** Modules may be loaded once for each extension, so what they share stands on the global object. */
export function hub(): Hub {
  const place = globalThis as unknown as Record<symbol, Hub | undefined>;
  place[KEY] ??= { configs: new Map() };
  return place[KEY];
}
