// An extension for pi that makes the engine panic at every call, through the place where sessions are shared.

export default function plantedPanic(pi) {
  const plant = () => {
    const runtime = globalThis[Symbol.for("pi-repair.session.1")]?.runtime;
    if (!runtime || runtime.planted) return;
    runtime.planted = true;
    for (const method of ["passes", "prepare", "message", "started", "called", "finished", "ended", "advise", "hear", "takeRecords"]) {
      runtime.session[method] = () => runtime.native.panicOnPurpose();
    }
  };
  for (const event of ["session_start", "before_agent_start", "agent_start"]) pi.on(event, plant);
}
