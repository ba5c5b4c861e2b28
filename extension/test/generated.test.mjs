// Generated calls: the native module's answers are the crate's, one by one.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { it } from "node:test";
import { loadNative } from "../dist/native.js";
import { example, hasRust } from "./rust.mjs";

const CASES = Number(process.env.CASES ?? 10_000);

/** A small generator of numbers: the same calls on every machine. */
function numbers(seed) {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const string = { type: "string" };
const number = { type: "number" };
const TOOLS = [
  { name: "read", schema: { type: "object", required: ["path"], properties: { path: string, offset: number, limit: number } } },
  { name: "edit", schema: { type: "object", required: ["path", "edits"], properties: { path: string, edits: { type: "array", items: { type: "object", required: ["oldText", "newText"], properties: { oldText: string, newText: string } } } } } },
  { name: "grep", schema: { type: "object", required: ["pattern"], properties: { pattern: string, path: string, glob: string, ignoreCase: { type: "boolean" }, literal: { type: "boolean" }, context: number, limit: number } } },
  { name: "label", schema: { type: "object", required: ["name"], properties: { name: string, tags: { type: "array", items: string }, mode: { enum: ["fast", "slow"] }, level: { type: "integer" } } } },
];
const VERSIONS = ["0.80.6", "1.3.0", "1.6.0", ""];
const TEXTS = ["/x", "a b", "", "é😀", "null", "5", "true", "C:\\new", "[\"a\"]", "{\"a\":1}", "</x>", "a\nb", "[x](http://x)"];
const KEYS = ["path", "file_path", "edits", "old_string", "newText", "pattern", "query", "tags", "mode", "offset", "__proto__", "a/b", ""];

function value(next, depth = 0) {
  const pick = (list) => list[next(list.length)];
  const kind = next(depth > 3 ? 5 : 8);
  if (kind < 2) return pick(TEXTS);
  if (kind === 2) return pick([0, -1, 3.5, 1e21, 12345678901234567, 7]);
  if (kind === 3) return pick([null, true, false]);
  if (kind === 4) return JSON.stringify(pick(TEXTS));
  if (kind === 5) return Array.from({ length: next(3) }, () => value(next, depth + 1));
  const made = Object.create(null);
  for (let left = next(4); left > 0; left -= 1) made[pick(KEYS)] = value(next, depth + 1);
  return kind === 6 ? made : JSON.stringify(made);
}

/** A text that may be arguments: mostly JSON, now and then damaged. */
function text(next) {
  const whole = JSON.stringify(next(3) === 0 ? value(next) : { path: "/x", pattern: "a", name: "n", ...value(next, 4), ...Object(value(next)) });
  switch (next(8)) {
    case 0: return whole.slice(0, next(whole.length + 1));
    case 1: return `\`\`\`json\n${whole}\n\`\`\``;
    case 2: return whole.replace(/\}$/, ",}");
    case 3: return JSON.stringify(whole);
    default: return whole;
  }
}

it(`${CASES} generated calls get the crate's own answers`, { timeout: 600_000 }, (t) => {
  if (!hasRust) return t.skip("there is no Rust on this machine");
  const next = numbers(0x5eed);
  const cases = Array.from({ length: CASES }, () => {
    const tool = TOOLS[next(TOOLS.length)];
    return { ...tool, version: VERSIONS[next(VERSIONS.length)], args: text(next).toWellFormed() };
  });
  const input = cases.map((one) => JSON.stringify(one)).join("\n");
  const crate = spawnSync(example("answers"), { input, encoding: "utf8", maxBuffer: 1 << 30 });
  assert.equal(crate.status, 0, crate.stderr);
  const answers = crate.stdout.trimEnd().split("\n");
  assert.equal(answers.length, CASES);
  const sessions = new Map();
  const seen = { left: 0, repaired: 0, refused: 0 };
  for (const [at, one] of cases.entries()) {
    const session = sessions.get(one.version) ?? compile(one.version);
    sessions.set(one.version, session);
    const answered = session.repair(one.name, one.args);
    const mine = answered === null ? null : JSON.parse(answered);
    const theirs = JSON.parse(answers[at]);
    if (mine === null) seen.left += 1;
    else if (mine.outcome === "repaired") seen.repaired += 1;
    else seen.refused += 1;
    const kept = mine === null ? null : mine.outcome === "repaired" ? { args: mine.args, changes: mine.changes } : { reason: mine.reason, message: mine.message };
    assert.equal(JSON.stringify(kept), JSON.stringify(theirs), `${one.name} ${one.version} ${one.args}`);
  }
  for (const count of Object.values(seen)) assert.ok(count > CASES / 50, JSON.stringify(seen));
  t.diagnostic(JSON.stringify(seen));
});

function compile(version) {
  const session = new (loadNative().Session)(version);
  const left = JSON.parse(session.setTools(JSON.stringify({ tools: TOOLS.map((tool) => ({ ...tool, origin: "typebox" })) })));
  assert.deepEqual(left, []);
  return session;
}
