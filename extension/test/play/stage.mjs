// What a script of the corpus needs around it in the real pi: the provider, the recorder, and the session
// that the user acts on. It comes before pi-repair, so that it records what pi itself says.

import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as pi from "@earendil-works/pi-coding-agent";
import * as ai from "@earendil-works/pi-ai";
import { scripted, serve, Turns, wired } from "../../../drift/node/provider.mjs";
import { aboutSession, Log, record } from "../../../drift/node/session.mjs";

/** Where the owner's part of the same script finds it; extensions do not share modules. */
const KEY = Symbol.for("pi-repair.play");

export default async function stage(api) {
  const { script, provider } = JSON.parse(readFileSync(process.env.PI_PLAY_SCRIPT, "utf8"));
  const cwd = realpathSync(process.cwd());
  const agentDir = realpathSync(pi.getAgentDir());
  const log = new Log([[cwd, "<cwd>"], [agentDir, "<agent>"], [dirname(agentDir), "<root>"]]);
  const run = { pi, ai, script, cwd, agentDir, log, failures: [], errors: [], answers: [] };
  globalThis[KEY] = run;
  run.turns = new Turns(script, log);
  bind(run);
  await register(run, api, provider);
  record(run, api);
  api.on("session_shutdown", () => run.server?.stop());
}

/** Takes hold of the session when pi's print mode binds its extensions. */
function bind(run) {
  const { prototype } = pi.AgentSession;
  const own = prototype.bindExtensions;
  prototype.bindExtensions = function bindExtensions(bindings) {
    run.session = this;
    run.sessionManager = this.sessionManager;
    this.subscribe((event) => {
      const what = aboutSession(event);
      if (what !== undefined) run.log.add("S", event.type, what);
    });
    const onError = ({ event, error }) => run.errors.push({ on: event, message: String(error) });
    return own.call(this, { ...bindings, onError });
  };
}

async function register(run, api, provider) {
  const { script, turns } = run;
  let streamSimple = scripted(ai, turns);
  if (script.api !== "scripted") {
    run.server = await serve(() => turns);
    const file = join(process.env.PI_PLAY_MODULES, "@earendil-works", "pi-ai", "dist", "api", `${script.api}.js`);
    const real = await import(pathToFileURL(file).href);
    streamSimple = wired(real.streamSimple, { turns, api: script.api, url: run.server.url });
  }
  api.registerProvider(provider, {
    name: "Scripted", baseUrl: "http://127.0.0.1:9", apiKey: "none", api: "scripted-api", streamSimple,
    models: script.models.map((model) => ({
      id: model.id, name: model.id, reasoning: false, input: ["text"], cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: model.context_window, maxTokens: model.max_tokens,
    })),
  });
}
