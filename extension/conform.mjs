// The native module as an engine for `pi-repair conform`: what the harness holds the crate to, it holds the
// module to. Run it as `pi-repair conform -- node extension/conform.mjs`.

import { loadNative } from "./dist/native.js";

const RELEASES = { "pi-0.80": "0.80.6", "pi-0.85": "0.85.1", "pi-1.5": "1.6.0" };
const { Session } = loadNative();
const sessions = new Map();

/** The session of a tool under a host; questions repeat the same few. */
function sessionOf(tool, host) {
  const { name, schema, config, origin = "json" } = tool;
  // A tool that configures nothing has nothing of pi's own either.
  const text = JSON.stringify({ tools: [{ name, schema, origin, config: config ?? {} }] });
  const key = `${host}\n${text}`;
  const known = sessions.get(key);
  if (known) return known;
  const session = new Session(RELEASES[host] ?? null);
  const [left] = JSON.parse(session.setTools(text));
  if (left) throw new Error(left.says);
  if (sessions.size > 500) sessions.clear();
  sessions.set(key, session);
  return session;
}

function contextOf({ model, provider, policy, stop_reason: stopReason, limits } = {}) {
  return JSON.stringify({ model, provider, policy, stopReason, limits });
}

/** The answer's own text: JavaScript would reorder keys that look like numbers. */
const shown = (id, answered) => (answered === null ? `{"id":${id},"outcome":"valid"}` : `{"id":${id},${answered.slice(1)}`);

const operations = {
  hello: ({ id }) => JSON.stringify({
    id, protocol: 1, engine: "pi-repair native module", operations: ["repair_text", "resolve_name"],
    features: ["schema", "config", "policies", "limits", "changes", "rules", "reasons", "fingerprints"],
  }),
  repair_text: ({ id, tool, text, context }) =>
    shown(id, sessionOf(tool, context?.host).repair(tool.name, text, contextOf(context))),
  resolve_name({ id, name, tools }) {
    const session = new Session(null);
    // The alias is the one that the harness configures for its own registry.
    const aliases = { read_file: "read" };
    session.setTools(JSON.stringify({ tools: tools.map((tool) => ({ name: tool, schema: {}, origin: "json" })), aliases }));
    const { tool = null, message } = JSON.parse(session.resolveName(name));
    return JSON.stringify({ id, tool, message });
  },
};

/** The lines of the input; only a line feed ends one. */
async function* lines() {
  let rest = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    const parts = `${rest}${chunk}`.split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

for await (const line of lines()) {
  let answer;
  let id = 0;
  try {
    const question = JSON.parse(line);
    id = question.id;
    answer = operations[question.op]?.(question) ?? JSON.stringify({ id, error: { code: "unsupported" } });
  } catch (error) {
    answer = JSON.stringify({ id, error: { code: "bad-request", message: String(error?.message ?? error).slice(0, 300) } });
  }
  process.stdout.write(`${answer}\n`);
}
