// An extension for pi that makes the engine panic at every call, through the place where sessions are shared.

export default function plantedPanic(pi) {
  const plant = () => {
    for (const runtime of globalThis[Symbol.for("pi-repair.session.2")]?.runtimes ?? []) {
      if (runtime.planted) continue;
      runtime.planted = true;
      for (const method of ["passes", "prepare", "message", "started", "called", "finished", "ended", "advise", "hear", "takeRecords"]) {
        runtime.session[method] = () => runtime.native.panicOnPurpose();
      }
    }
  };
  for (const event of ["session_start", "before_agent_start", "agent_start"]) pi.on(event, plant);
}
