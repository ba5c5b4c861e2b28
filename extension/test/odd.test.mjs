// Odd tools, messages and configurations: each costs no more than itself.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Briefs } from "../dist/advice.js";
import { Advisor, classifyError } from "../dist/advisor.js";
import { lend, withRawHalves } from "../dist/border.js";
import { entriesOf } from "../dist/builtins.js";
import * as core from "../dist/core.js";
import { parseToolGrammarLeaks, recoverGrammarLeaks } from "../dist/grammar.js";
import { hub } from "../dist/hub.js";
import { treatMessage } from "../dist/message.js";
import { loadNative } from "../dist/native.js";
import { adaptToolDefinition, RepairConfigError, UnrepairableToolInputError } from "../dist/pi.js";
import { Runtime } from "../dist/runtime.js";
import { READ } from "./tools.mjs";

const HALF = "\ud83d";
const schema = READ.schema;

function runtime(tools = [READ], log = false) {
  const made = new Runtime(loadNative(), mkdtempSync(join(tmpdir(), "pi-repair-odd-")), "1.6.0", { telemetryOff: true, passthrough: false, log });
  made.setTools(tools);
  return made;
}

const nested = (levels) => Array.from({ length: levels }).reduce((inner) => ({ type: "object", properties: { a: inner } }), {});

describe("odd tools", () => {
  it("leave the others compiled, and each is told of once", () => {
    const odd = [
      { name: "deep", schema: nested(200) }, { name: "half", schema: { description: HALF } }, { name: `n${HALF}`, schema },
      { name: "cycle", schema: Object.assign({}, { get self() { return this; } }) }, { name: "bad", schema: { type: "objekt" } },
      { name: "traps", schema: { toJSON() { throw new Error("no"); } } },
    ];
    for (const one of odd) {
      const now = runtime([READ, { origin: "json", ...one }]);
      assert.deepEqual(now.prepare("read", { file_path: "/x" }), { path: "/x" }, one.name);
      assert.deepEqual([...now.known], ["read"]);
    }
    const said = [];
    const write = process.stderr.write;
    process.stderr.write = (line) => said.push(line);
    try {
      const now = runtime([READ], true);
      for (let turn = 0; turn < 3; turn += 1) now.setTools([...odd.map((one) => ({ origin: "json", ...one })), READ]);
    } finally {
      process.stderr.write = write;
    }
    assert.equal(said.length, odd.length);
    assert.match(said.join(""), /tool deep is left alone: nest the schema less deep/);
    assert.match(said.join(""), /tool half is left alone: take the half/);
  });

  it("that the host lists without a name, or with parameters that are none, are left out", () => {
    const trap = new Proxy({}, { ownKeys() { throw new Error("no"); } });
    const parameters = [undefined, null, true, "x", 5, () => 1, trap];
    const tools = [...parameters.map((given, at) => ({ name: `odd${at}`, parameters: given })), { parameters: {} }, { name: "read", parameters: schema }];
    const said = [];
    const entries = entriesOf(tools, new Map(), () => undefined, (line) => said.push(line));
    assert.deepEqual(entries.map((entry) => entry.name), ["read"]);
    assert.equal(said.length, parameters.length + 1);
  });
});

const message = (content, more = {}) => ({ role: "assistant", stopReason: "toolUse", timestamp: 1, provider: "p", model: "kimi-k2", content, ...more });
const call = (name, args, more = {}) => ({ type: "toolCall", id: "c1", name, arguments: args, ...more });
const leak = (args) => `<tool_call>{"name": "read", "arguments": ${args}}</tool_call>`;

describe("half a surrogate pair", () => {
  const active = new Set(["read"]);

  it("in a text, an argument or an id keeps no name from being mended, and stays", () => {
    const given = message([{ type: "text", text: `a${HALF}` }, { ...call("Read", { path: `/${HALF}` }), id: `i${HALF}` }]);
    const [text, mended] = treatMessage(runtime(), given, active).content;
    assert.equal(text.text, `a${HALF}`);
    assert.deepEqual([mended.id, mended.name, mended.arguments], [`i${HALF}`, "read", { path: `/${HALF}` }]);
    const repaired = treatMessage(runtime(), message([call("Read", { file_path: `/${HALF}` })]), active).content;
    assert.deepEqual([repaired[0].name, repaired[0].arguments], ["read", { path: `/${HALF}` }]);
  });

  it("or a value that JSON cannot say, keeps the call itself as it is where it would have to be read", () => {
    const date = { path: "/x", limit: null, at: new Date(0) };
    const trap = new Proxy({ path: "/x" }, { ownKeys() { throw new Error("no"); } });
    for (const args of [date, trap]) assert.equal(treatMessage(runtime(), message([call("Read", args)]), active), undefined);
    const now = runtime();
    assert.equal(treatMessage(now, message([call("Read", undefined)]), active), undefined);
    assert.match([...now.refused.values()][0], /not run/);
  });

  it("keeps no leak from being taken out, and stands as it was in what is left", () => {
    const [left] = treatMessage(runtime(), message([{ type: "text", text: `a${HALF} b. ${leak('{"path": "/x"}')}` }], { stopReason: "stop" }), active).content;
    assert.equal(left.text, `a${HALF} b.`);
    const text = `😀${HALF}é. ${leak(`{"path": "/${HALF}"}`)}\n\udc00`;
    const tools = [{ name: "read", schema }];
    const [found] = parseToolGrammarLeaks(text, { tools });
    assert.equal(text.slice(...found.range), leak(`{"path": "/${HALF}"}`));
    assert.equal(recoverGrammarLeaks(text, { tools }).text, `😀${HALF}é.\n\udc00`);
    const alone = recoverGrammarLeaks(`${HALF} ${leak(`{"path": "/${HALF}"}`)}`, { tools });
    assert.deepEqual(alone.calls, [{ name: "read", args: { path: `/${HALF}` } }]);
  });

  it("in arguments that the host could not read is put back as it was", () => {
    const argumentsError = `Bad JSON.\nReceived arguments:\n{"path": "/${HALF}",}`;
    const [mended] = treatMessage(runtime(), message([call("read", {}, { argumentsError })]), active).content;
    assert.deepEqual([mended.arguments, "argumentsError" in mended], [{ path: `/${HALF}` }, false]);
    const now = runtime();
    assert.equal(treatMessage(now, message([call("read", {}, { argumentsError: `x\nReceived arguments:\n{"path": "/${HALF}` })]), active), undefined);
    assert.ok([...now.refused.values()][0].isWellFormed());
  });

  it("is lent as a character that is free, or nothing is looked at", () => {
    assert.equal(lend({ a: "\ue000" }).text, '{"a":"\ue000"}');
    for (const taken of ["\ue03d", "\\ue03d \uebff", "\uf700"]) {
      const loan = lend({ a: `${HALF}${taken}` });
      assert.deepEqual(JSON.parse(loan.back(loan.text)), { a: `${HALF}${taken}` });
      assert.ok(JSON.parse(loan.text).a.isWellFormed());
    }
    assert.equal(lend([HALF, "\ue03d", "\ue83d", "\uf03d"]), undefined);
    assert.equal(lend([HALF, "&#xe03d;"]), undefined);
    assert.equal(lend(["\\ud83d &#xe03d;"]).text, '["\\\\ud83d &#xe03d;"]');
    assert.equal(withRawHalves(JSON.stringify([HALF, "\\ud83d"])), `["${HALF}","\\\\ud83d"]`);
  });

  it("keeps no failed request from being told of", () => {
    const failed = { stopReason: "error", errorMessage: `529 overloaded_error: Overloaded ${HALF}`, timestamp: 900 };
    const mine = new Advisor(() => 1000);
    mine.on({ type: "assistant_end", ...failed });
    assert.equal(mine.notes([failed, null]).length, 1);
    const briefs = new Briefs();
    briefs.hear({ role: "assistant", ...failed }, undefined);
    assert.equal(JSON.parse(briefs.of([{ role: "assistant", ...failed }]))[0].errorMessage, "529 overloaded_error: Overloaded \ufffd");
    assert.equal(classifyError(`${HALF} rate limit`, { provider: HALF }).class, "throttle");
  });

  it("is no fault of valid input, wherever it is read", () => {
    const run = (input) => core.runRepairPipeline({ input, config: { toolName: "t", schema } });
    for (const input of [{ path: HALF }, { path: "/x", [HALF]: 1 }]) {
      const result = run(input);
      assert.deepEqual([result.outcome, result.args === input], ["valid", true]);
    }
    assert.equal(run({ path: HALF, limit: null }).reason, "lone-surrogate");
    for (const text of [`{"a":"${HALF}"}`, '{"a":"\\ud83d"}', `"${HALF}"`]) assert.deepEqual(core.recoverEnvelope(text), { value: JSON.parse(text), recovered: false, changes: [] });
    for (const text of [HALF, `{a:"${HALF}"}`, `{"a":"${HALF}"`]) assert.equal(core.recoverEnvelope(text).reason, "lone-surrogate");
    assert.equal(core.recoverEnvelope(5).reason, "unreadable");
    assert.ok(core.formatRepairNotes([HALF]).isWellFormed());
  });
});

const definition = { name: "mine", description: "d", parameters: schema, execute: async () => ({ content: [{ type: "text", text: "ok" }] }) };
const structural = (apply, selector = "/path") => ({ preprocessors: [{ kind: "structural", selector, ruleId: "mine.rule", apply }] });

describe("owners' code and configurations", () => {
  it("a transform that fails, or gives what JSON cannot say, refuses the call by its rule", () => {
    const cycle = {};
    cycle.self = cycle;
    const bad = [() => { throw new Error("boom"); }, () => ({ value: cycle, note: "n" }), () => ({ value: 5n, note: "n" }), () => ({ value: Number.NaN, note: "n" })];
    for (const apply of bad) {
      const input = { path: "/x" };
      const result = core.runRepairPipeline({ input, config: { toolName: "mine", schema, ...structural(apply) } });
      assert.deepEqual([result.outcome, result.reason, result.args === input], ["unrepairable", "owner-transform", true]);
      const refused = (error) => error instanceof UnrepairableToolInputError && error.result.detail === "mine.rule" && !/boom/.test(error.message);
      assert.throws(() => adaptToolDefinition(definition, structural(apply)).prepareArguments(input), refused);
    }
    for (const nothing of [() => undefined, () => null]) assert.equal(adaptToolDefinition(definition, structural(nothing)).prepareArguments(Object.freeze({ path: "/x" })).path, "/x");
    const own = core.runRepairPipeline({ input: { path: "/x" }, config: { toolName: "mine", schema, ...structural((value) => (assert.equal(value, undefined), { value: 1, note: "n" }), "/__proto__") } });
    assert.deepEqual([Object.hasOwn(own.args, "__proto__"), Object.getPrototypeOf(own.args) === Object.prototype], [true, true]);
  });

  it("values that throw when they are read pass untouched", () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (let traps = 0; traps < 3; traps += 1) {
      let seen = 0;
      const flaky = () => new Proxy({ file_path: "/x" }, { ownKeys: (target) => { if (seen++ >= traps) throw new Error("trap"); return Reflect.ownKeys(target); } });
      for (const input of [flaky(), revoked.proxy]) {
        const adapted = adaptToolDefinition(definition);
        const refusal = (run) => { try { return run(); } catch (error) { assert.ok(error instanceof UnrepairableToolInputError); return input; } };
        assert.equal(refusal(() => adapted.prepareArguments(input)), input);
        assert.equal(core.runRepairPipeline({ input, config: { toolName: "t", schema } }).args, input);
      }
    }
  });

  it("a wrong configuration is named in the first line, with what to change", () => {
    const loop = {};
    loop.self = loop;
    const wrong = [
      [{ schema: undefined }, /schema/i], [{ schema: null }, /schema/i], [{ schema: true }, /schema/i], [{ schema: [] }, /schema/i], [{ schema: { description: HALF } }, /surrogate/],
      [{ schema: nested(200) }, /less deep/], [{ schema: loop }, /plain JSON/], [{ schema: { a: 1n } }, /plain JSON/], [{ toolName: undefined }, /name/], [{ toolName: "" }, /name/],
      [{ toolName: HALF }, /surrogate/], [{ policy: "bold" }, /policy/], [{ policy: 5 }, /policy/], [{ limits: { most: 1 } }, /`most`/], [{ limits: { depth_max: -1 } }, /depth_max/],
      [{ limits: { depth_max: Number.NaN } }, /depth_max/], [{ limits: { depth_max: 1e6 } }, /256/], [{ limits: { depth_max: 5n } }, /depth_max/], [{ limits: 5 }, /limits/],
      [{ preprocessors: "x" }, /preprocessors/], [{ preprocessors: [null] }, /preprocessor/], [{ preprocessors: [{ kind: "zz", selector: "/path" }] }, /zz/],
      [{ preprocessors: [{ kind: "alias", selector: 5 }] }, /selector/], [{ preprocessors: [{ kind: "alias", selector: "path" }] }, /path/],
      [{ preprocessors: [{ kind: "alias", selector: "/path", modelFamilies: "kimi" }] }, /modelFamilies/], [{ preprocessors: [{ kind: "structural", selector: "/path", apply() {} }] }, /ruleId/],
      [{ preprocessors: [{ kind: "structural", selector: "path", ruleId: "r", apply() {} }] }, /selector/], [{ preprocessors: [{ kind: "structural", selector: "/path", ruleId: "r" }] }, /apply/], [{ rootField: 5 }, /rootField/], [{ modelId: 5 }, /modelId/],
    ];
    for (const [change, says] of wrong) {
      const named = (error) => error instanceof RepairConfigError && says.test(error.message.split("\n")[0]);
      assert.throws(() => core.runRepairPipeline({ input: {}, config: { toolName: "t", schema, ...change } }), named, String(says));
      const { toolName: name = "toolName" in change ? undefined : "mine", schema: parameters = "schema" in change ? undefined : schema, ...options } = change;
      assert.throws(() => adaptToolDefinition({ ...definition, name, parameters }, options), named, String(says));
    }
    assert.throws(() => core.runRepairPipeline({ input: 1 }), RepairConfigError);
    assert.ok(adaptToolDefinition(definition, { preprocessors: [{ kind: "structural", ruleId: "foldFlatEditFields" }] }));
    assert.throws(() => adaptToolDefinition(undefined), RepairConfigError);
    assert.throws(() => parseToolGrammarLeaks("a", { tools: [{ name: "t", schema: nested(200) }] }), RepairConfigError);
  });

  it("a tool written as a class keeps its members", async () => {
    class Base {
      #secret = "s";
      get parameters() { return schema; }
      get label() { return this.#secret; }
      renderCall() { return this.#secret; }
      async execute() { return new (class Result { content = [{ type: "text", text: "ok" }]; get more() { return "m"; } })(); }
    }
    class Tool extends Base { name = "mine"; get description() { return "d"; } }
    const made = new Tool();
    const tool = adaptToolDefinition(made, { preprocessors: [{ kind: "alias", selector: "/path", aliases: ["from"] }] });
    assert.ok(tool instanceof Tool);
    assert.deepEqual([tool.name, tool.label, tool.description, tool.parameters, tool.renderCall()], ["mine", "s", "d", schema, "s"]);
    assert.equal({ ...tool }.renderCall(), "s");
    const args = tool.prepareArguments({ from: "/x" });
    const result = await tool.execute("c", args);
    assert.deepEqual([result.content.length, result.more, made.prepareArguments], [2, "m", undefined]);
    const frozen = adaptToolDefinition(Object.freeze({ ...definition, prepareArguments: (given) => given }));
    assert.equal(typeof frozen.prepareArguments, "function");
  });

  it("nothing of ours turns a success into a failure", async () => {
    const results = [undefined, null, 5, { content: null }, { get content() { throw new Error("no"); } }, { content: new Proxy([], { get() { throw new Error("no"); } }) }];
    for (const given of results) {
      const tool = adaptToolDefinition({ ...definition, execute: async () => given }, { preprocessors: [{ kind: "alias", selector: "/path", aliases: ["from"] }] });
      const args = tool.prepareArguments({ from: "/x" });
      assert.equal(await tool.execute("c1", args), given);
    }
    const tool = adaptToolDefinition({ ...definition, execute: async () => "ok" });
    assert.equal(await tool.execute({}, { big: 1n }), "ok");
    assert.equal(await tool.execute("c", tool.prepareArguments({ path: "/x" })), "ok");
    await assert.rejects(adaptToolDefinition({ ...definition, execute: async () => { throw new Error("mine"); } }).execute("c", {}), /mine/);
  });

  it("values that JSON cannot say are each equal to themselves alone", () => {
    const { stableSerialize, RepairLifecycle } = core;
    const loop = Object.create(null);
    loop.self = loop;
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const throwing = (a) => ({ a, get b() { throw new Error("no"); } });
    let deep = "x";
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    const odd = [loop, revoked.proxy, throwing(1), throwing(1), { x: 9n }, { x: 9n }, 9n, 8n, Symbol("a"), () => 1, undefined, deep, { a: Number.NaN }, { a: Infinity }, { a: null }, [undefined], -0, 0, "0", new Date(0)];
    const texts = odd.map(stableSerialize);
    assert.equal(new Set(texts).size, odd.length);
    assert.deepEqual(odd.map(stableSerialize), texts);
    assert.equal(stableSerialize({ b: 1, a: [{ d: 1, c: undefined }] }), stableSerialize({ a: [{ d: 1 }], b: 1 }));
    const lifecycle = new RepairLifecycle();
    for (const args of odd) lifecycle.enqueue("t", args, { rules: [], notes: [], size: odd.indexOf(args), run() {} });
    assert.equal(lifecycle.correlate("t", { x: 9n }, "c"), undefined);
    assert.equal(lifecycle.correlate("t", loop, "c").size, 0);
  });
});

describe("sessions side by side", () => {
  const preprocessors = [{ kind: "alias", selector: "/path", aliases: ["from"] }];

  it("do not judge each other's tools, nor share their configurations", () => {
    const tool = adaptToolDefinition(definition, { preprocessors });
    const other = { type: "object", required: ["url"], properties: { url: { type: "string" } } };
    const theirs = runtime([{ name: "mine", origin: "typebox", schema: other }]);
    hub().runtimes.add(theirs);
    try {
      const args = { path: "/x" };
      assert.equal(tool.prepareArguments(args), args);
      assert.deepEqual(tool.prepareArguments({ from: "/x" }), { path: "/x" });
    } finally {
      hub().runtimes.delete(theirs);
    }
  });

  it("with the same tool: the one counts that starts the call, and none if that is not certain", () => {
    const tool = adaptToolDefinition(definition, { preprocessors });
    const both = [0, 1].map(() => runtime([{ name: "mine", origin: "typebox", schema, config: { preprocessors } }]));
    const heard = [0, 0];
    both.forEach((one, at) => { one.flush = () => (heard[at] += 1); hub().runtimes.add(one); });
    try {
      const args = { from: "/x" };
      assert.deepEqual(tool.prepareArguments(args), { path: "/x" });
      assert.deepEqual(heard, [0, 0]);
      both[1].startingArgs = args;
      both[0].startingArgs = { from: "/x" };
      assert.deepEqual(tool.prepareArguments(args), { path: "/x" });
      assert.deepEqual(heard, [0, 1]);
      both[1].settings = { ...both[1].settings, repair: false };
      assert.equal(tool.prepareArguments(args), args);
      assert.equal(tool.prepareArguments("from"), "from");
    } finally {
      both.forEach((one) => hub().runtimes.delete(one));
    }
  });
});
