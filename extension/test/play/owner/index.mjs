// What a script of the corpus has an extension do: its handlers, and its tools, wrapped as their owner would
// wrap them. `/play N` is the Nth action of the user, `/play end` writes the trace.

import { writeFileSync } from "node:fs";
import { act, announce, arm, definition, handle, settle, trace } from "../../../../drift/node/session.mjs";

const { adaptToolDefinition } = await import(process.env.PI_PLAY_PACKAGE);

export default function owner(api) {
  const run = globalThis[Symbol.for("pi-repair.play")];
  handle(run, api);
  for (const tool of run.script.tools) api.registerTool(adaptToolDefinition(definition(run, tool)));
  api.registerCommand("play", {
    description: "Goes on in the script.",
    async handler(args, ctx) {
      const { modelRegistry } = ctx;
      run.find = (id) => modelRegistry.getAll().find((model) => model.id === id && model.api === "scripted-api");
      await settle(run);
      if (args === "end") return writeFileSync(process.env.PI_PLAY_TRACE, JSON.stringify(trace(run)));
      const action = run.script.actions[Number(args)];
      arm(run, action);
      // The text itself comes next, as the user's own.
      if (action.do === "prompt") announce(run, action);
      else await act(run, action);
      return undefined;
    },
  });
}
