// Measures the way of a valid call through the glue and the native module, beside TypeBox alone.
// `--write` puts the figures into docs/operations.md, `--check` fails above the promise.

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { loadNative } from "../dist/native.js";
import { Runtime, switchesOf } from "../dist/runtime.js";
import { installed, releases } from "./pi.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { cli } = installed(releases.at(-1));
const require = createRequire(pathToFileURL(cli));
const { Type } = await import(pathToFileURL(require.resolve("typebox")).href);
const { Compile } = await import(pathToFileURL(require.resolve("typebox/compile")).href);

const schema = Type.Object({ path: Type.String(), content: Type.String(), offset: Type.Optional(Type.Number()) });
const bounded = Type.Object({ path: Type.String(), content: Type.String({ maxLength: 1 << 20 }) });
const patterned = Type.Object({ path: Type.String(), content: Type.String({ pattern: "^[^\\u0007]*$" }) });
const [inBounds, inPattern] = [Compile(bounded), Compile(patterned)];
const runtime = new Runtime(loadNative(), mkdtempSync(join(tmpdir(), "pi-repair-bench-")), releases.at(-1), switchesOf({}));
runtime.setTools([{ name: "bounded", origin: "typebox", schema: JSON.parse(JSON.stringify(bounded)) }, { name: "patterned", origin: "typebox", schema: JSON.parse(JSON.stringify(patterned)) }, { name: "write", origin: "typebox", schema: JSON.parse(JSON.stringify(schema)), config: { preprocessors: [{ kind: "alias", selector: "/path", aliases: ["file_path"] }] } }]);
const validator = Compile(schema);

/** The median time of one run, in microseconds; batches are short, so that few of them are interrupted. */
function median(run, rounds, batch) {
  for (let at = 0; at < batch; at += 1) run();
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = process.hrtime.bigint();
    for (let at = 0; at < batch; at += 1) run();
    times.push(Number(process.hrtime.bigint() - start) / batch / 1000);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}

const small = { path: "src/main.rs", content: "fn main() {}\n", offset: 4 };
const large = { path: "src/main.rs", content: "let x = \"é\";\n".repeat(5000).slice(0, 64 * 1024) };
const broken = { file_path: "src/main.rs", content: "x", offset: null };
const repairs = () => runtime.session.repair("write", JSON.stringify(broken));
const rows = [
  ["valid call, 60 bytes", "write", small, validator, 2001, 100, 5],
  ["valid call, 64 KiB", "write", large, validator, 2001, 100, 150],
  ["valid call, 64 KiB of bounded length", "bounded", large, inBounds, 2001, 100, 150],
  ["valid call, 64 KiB against a pattern", "patterned", large, inPattern, 501, 1, undefined],
].map(([name, tool, args, typebox, rounds, batch, most]) => {
  if (runtime.prepare(tool, args) !== args || !typebox.Check(args)) throw new Error(`${name} is not valid`);
  const mine = median(() => runtime.prepare(tool, args), rounds, batch);
  const alone = median(() => typebox.Check(args), rounds, batch);
  return { name, mine, alone, most };
});
if (!JSON.parse(repairs()).args.path) throw new Error("the broken call is not repaired");
rows.push({ name: "repaired call, 60 bytes", mine: median(repairs, 501, 10), alone: undefined, most: undefined });

const figure = (value) => (value === undefined ? "" : `${value.toFixed(value < 10 ? 2 : 0)} µs`);
const table = [
  "| | through pi-repair | TypeBox alone | promised |",
  "|---|---|---|---|",
  ...rows.map((row) => `| ${row.name} | ${figure(row.mine)} | ${figure(row.alone)} | ${row.most === undefined ? "" : `≤ ${row.most} µs`} |`),
].join("\n");
process.stdout.write(`${table}\n`);
if (process.argv.includes("--write")) {
  const page = join(here, "..", "docs", "operations.md");
  const text = readFileSync(page, "utf8");
  writeFileSync(page, `${text.slice(0, text.indexOf("<!-- figures -->"))}<!-- figures -->\n\n${table}\n`);
}
if (process.argv.includes("--check") && rows.some((row) => row.most !== undefined && row.mine > row.most)) process.exitCode = 1;
