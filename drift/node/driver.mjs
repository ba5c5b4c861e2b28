// Reads scripts as JSON Lines on standard input, runs them in this pi, writes traces as JSON Lines.

import { readFileSync } from "node:fs";

process.env.PI_OFFLINE = "1";
process.env.PI_SKIP_VERSION_CHECK = "1";
const out = process.stdout.write.bind(process.stdout);
const answer = (line) => new Promise((done) => out(`${JSON.stringify(line)}\n`, done));
// Whatever pi itself prints must not stand between the traces.
process.stdout.write = process.stderr.write.bind(process.stderr);

const pi = await import("@earendil-works/pi-coding-agent");
const ai = await import("@earendil-works/pi-ai/compat");
const { perform } = await import("./session.mjs");
const manifest = new URL("./node_modules/@earendil-works/pi-coding-agent/package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, "utf8"));
await answer({ ready: version });

const limit = (script) =>
  new Promise((_, fail) => setTimeout(() => fail(new Error("the script did not end within 20 s")), 20_000).unref());

process.on("unhandledRejection", (error) => process.stderr.write(`unhandled: ${error?.stack ?? error}\n`));

// `readline` would also end a line at U+2028, which JSON may hold as it is.
async function* lines(input) {
  let rest = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop();
    yield* parts;
  }
  yield rest;
}

for await (const line of lines(process.stdin)) {
  if (line.trim() === "") continue;
  const script = JSON.parse(line);
  try {
    const trace = await Promise.race([perform(pi, ai, script), limit(script)]);
    await answer({ script: script.name, trace: { ...trace, pi: version } });
  } catch (error) {
    await answer({ script: script.name, error: String(error?.stack ?? error) });
  }
}
process.exit(0);
