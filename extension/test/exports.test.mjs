// What other extensions import: every name that is documented, as it is documented.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import * as advisor from "../dist/advisor.js";
import * as core from "../dist/core.js";
import * as grammar from "../dist/grammar.js";
import { hub, keyOf } from "../dist/hub.js";
import { adaptToolDefinition, RepairConfigError, UnrepairableToolInputError } from "../dist/pi.js";

const parameters = {
  type: "object", required: ["path"],
  properties: { path: { type: "string" }, labels: { type: "array", items: { type: "string" } }, depth: { type: "number" } },
};
const ran = [];
const definition = () => ({
  name: "inspect_asset", label: "Inspect", description: "d", parameters,
  execute: async (...args) => {
    ran.push(args);
    return { content: [{ type: "text", text: "ok" }], details: { n: 1 } };
  },
});
const preprocessors = [
  { kind: "alias", selector: "/path", aliases: ["file_path"], accepts: "string" },
  { kind: "string-or-array", selector: "/labels" },
];

describe("pi-repair/pi", () => {
  it("repairs the arguments of an owner's tool and puts one note before the result", async () => {
    const tool = adaptToolDefinition(definition(), { preprocessors });
    assert.equal(tool.parameters, parameters);
    const args = tool.prepareArguments({ file_path: "/x", labels: "a" });
    assert.deepEqual(args, { path: "/x", labels: ["a"] });
    const result = await tool.execute("c1", args, undefined, undefined, { ctx: 1 });
    assert.equal(result.content.length, 2);
    assert.match(result.content[0].text, /^<repair_note>[^]*`path`[^]*`labels`/);
    assert.deepEqual(result.details, { n: 1 });
    assert.deepEqual(ran.at(-1), ["c1", args, undefined, undefined, { ctx: 1 }]);
    assert.equal((await tool.execute("c1", args)).content.length, 1);
  });

  it("gives a valid call back as the very same object, and no note to its twin", async () => {
    const tool = adaptToolDefinition(definition(), { preprocessors });
    const bad = tool.prepareArguments({ file_path: "/x" });
    const good = Object.freeze({ path: "/x" });
    assert.equal(tool.prepareArguments(good), good);
    const [first, second] = [await tool.execute("a", bad), await tool.execute("b", good)];
    assert.deepEqual([first.content.length, second.content.length], [2, 1]);
  });

  it("has no note for a call that another tool made", async () => {
    const tool = adaptToolDefinition(definition(), { preprocessors });
    const args = tool.prepareArguments({ file_path: "/x" });
    assert.equal((await tool.execute("c1/2", args)).content.length, 1);
  });

  it("fails closed with a typed error, or passes through where that is asked for", () => {
    const heard = [];
    const tool = adaptToolDefinition(definition(), { onOutcome: (answer) => { heard.push(answer.outcome); throw new Error("mine"); } });
    assert.throws(() => tool.prepareArguments({ path: null }), (error) => error instanceof UnrepairableToolInputError && error.result.reason === "misfit" && /not run/.test(error.message));
    assert.deepEqual(heard, ["unrepairable"]);
    const open = adaptToolDefinition(definition(), { unrepairable: "passthrough" });
    const bad = { path: null };
    assert.equal(open.prepareArguments(bad), bad);
  });

  it("chains the owner's hook, and asks one that throws again where the call can be mended", () => {
    const moved = adaptToolDefinition({ ...definition(), prepareArguments: (args) => ({ ...args, path: args.where ?? args.path }) });
    assert.equal(moved.prepareArguments({ where: "/y" }).path, "/y");
    const prepareArguments = (args) => {
      if (args.path !== "/x") throw new Error("mine");
      return args;
    };
    const strict = adaptToolDefinition({ ...definition(), prepareArguments }, { preprocessors });
    assert.deepEqual(strict.prepareArguments({ file_path: "/x" }), { path: "/x" });
    assert.throws(() => strict.prepareArguments({ path: "/y" }), /mine/);
    assert.throws(() => strict.prepareArguments({ file_path: "/y" }), /mine/);
    assert.throws(() => strict.prepareArguments({ path: null }), UnrepairableToolInputError);
  });

  it("runs the owner's transforms on a copy, and checks what they give", () => {
    const structural = (apply) => ({ kind: "structural", selector: "", ruleId: "mine.split", apply });
    const split = structural((args) => (typeof args?.target === "string" ? { value: { path: args.target.split("#")[0] }, note: "Send `path`." } : undefined));
    const tool = adaptToolDefinition(definition(), { preprocessors: [split] });
    const given = Object.freeze({ target: "/x#1" });
    assert.deepEqual(tool.prepareArguments(given), { path: "/x" });
    const bad = adaptToolDefinition(definition(), { preprocessors: [structural(() => ({ value: { path: 7 }, note: "n" }))] });
    assert.throws(() => bad.prepareArguments({ path: "/x" }), UnrepairableToolInputError);
    const each = { kind: "structural", selector: "/labels/*", ruleId: "mine.trim", apply: (text) => ({ value: text.trim(), note: "n" }) };
    assert.deepEqual(adaptToolDefinition(definition(), { preprocessors: [each] }).prepareArguments({ path: "/x", labels: [" a "] }).labels, ["a"]);
  });

  it("names what is wrong with a configuration", () => {
    const bad = [{ preprocessors: [{ kind: "alias", selector: "path", aliases: ["a"] }] }, { preprocessors: [{ kind: "anchor-bleed", selector: "/path", modelFamilies: [/kimi.*k2/] }] }];
    for (const options of bad) assert.throws(() => adaptToolDefinition(definition(), options), RepairConfigError);
    assert.throws(() => adaptToolDefinition({ ...definition(), parameters: { type: "objekt" } }), RepairConfigError);
  });

  it("shares the session of the installed extension, with its settings", () => {
    const prepared = [];
    const native = { prepare: (tool) => (prepared.push(tool), null) };
    const tool = adaptToolDefinition(definition(), { preprocessors });
    assert.deepEqual(hub().configs.get(keyOf("inspect_asset", parameters)), { preprocessors });
    const session = { settings: { repair: true }, has: (name) => name === "inspect_asset", session: native, switches: {}, flush() {}, isRefused: () => false };
    hub().runtimes.add(session);
    const args = { file_path: "/x" };
    assert.equal(tool.prepareArguments(args), args);
    session.settings.repair = false;
    tool.prepareArguments(args);
    hub().runtimes.delete(session);
    assert.deepEqual(prepared, ["inspect_asset"]);
  });
});

describe("pi-repair/core", () => {
  const run = (input, config = {}) => core.runRepairPipeline({ input, config: { toolName: "t", schema: parameters, ...config } });

  it("runs the pipeline without a host", () => {
    const valid = { path: "/x" };
    assert.equal(run(valid).args, valid);
    const result = run({ path: "/x", depth: null });
    assert.equal(result.outcome, "repaired");
    assert.deepEqual(result.changes.map((it) => [it.ruleId, it.stage]), [["schema.drop-null", "repair"]]);
    const refused = run({ path: 5 });
    assert.equal(refused.outcome, "unrepairable");
    assert.match(refused.retryMessage, /not run/);
    assert.equal(run(undefined).outcome, "valid");
  });

  it("reads raw text, or says why not", () => {
    assert.deepEqual(core.recoverEnvelope('{"a": 1}'), { value: { a: 1 }, recovered: false, changes: [] });
    assert.deepEqual(core.recoverEnvelope('{"a": 1,}').value, { a: 1 });
    assert.equal(core.recoverEnvelope('{"a": "b').reason, "cut-off");
  });

  it("resolves policies as the settings do", () => {
    assert.deepEqual(core.resolveRepairPolicy("recover"), { profile: "recover", grammarMode: "recover", unknownGrammarText: "preserve" });
    assert.equal(core.resolveRepairPolicy("adaptive", { grammarMode: "off" }).grammarMode, "off");
    assert.throws(() => core.resolveRepairPolicy("bold"), core.RepairConfigError);
  });

  it("formats and attaches notes that nothing can close", () => {
    const text = core.formatRepairNotes(["a </repair_note> b", "c\nd"]);
    assert.equal(text.match(/<\/repair_note>/g).length, 1);
    const content = core.attachRepairNotes([{ type: "image", data: "x" }], ["n"]);
    assert.equal(content.length, 2);
    assert.equal(core.attachRepairNotes(content, ["n"]).length, 2);
    assert.deepEqual(core.attachRepairNotes([], []), []);
  });

  it("carries feedback from arguments to a call id", () => {
    let now = 0;
    const lifecycle = new core.RepairLifecycle({ now: () => now, ttlMs: 10 });
    lifecycle.enqueue("t", { b: 1, a: 2 }, { rules: ["r"], notes: ["n"] });
    assert.equal(lifecycle.correlate("t", { a: 2, b: 1 }, "c1").notes[0], "n");
    assert.equal(lifecycle.take("c1").rules[0], "r");
    assert.equal(lifecycle.take("c1"), undefined);
    lifecycle.enqueue("t", {}, { rules: [], notes: [] });
    now = 20;
    assert.equal(lifecycle.correlate("t", {}, "c2"), undefined);
  });

  it("keeps the first interface of pi-repair-layer", () => {
    const { args, repaired, rules } = core.repairToolInput("t", parameters, { path: "/x", depth: "5", labels: '["a"]' });
    assert.deepEqual([args, repaired], [{ path: "/x", depth: 5, labels: ["a"] }, true]);
    assert.ok(rules.length === 2);
    assert.throws(() => core.repairToolInput("t", parameters, {}), core.UnrepairableToolInputError);
  });
});

describe("pi-repair/grammar", () => {
  const leak = 'é <tool_call>{"name": "t", "arguments": {"path": "/x"}}</tool_call>';
  const tools = [{ name: "t", schema: parameters }];

  it("finds calls in text, in JavaScript's own columns", () => {
    const [found] = grammar.parseToolGrammarLeaks(leak, { tools });
    assert.equal(leak.slice(...found.range), leak.slice(2));
    assert.equal(found.action, "observed");
  });

  it("promotes only what every gate lets through", () => {
    assert.deepEqual(grammar.recoverGrammarLeaks(leak, { tools }).calls, [{ name: "t", args: { path: "/x" } }]);
    assert.deepEqual(grammar.recoverGrammarLeaks(leak, { tools, nativeCalls: 1 }).calls, []);
    assert.deepEqual(grammar.recoverGrammarLeaks(leak, { tools, stopReason: "length" }).calls, []);
    assert.equal(grammar.recoverGrammarLeaks(leak, {}).text, leak);
  });
});

describe("pi-repair/advisor", () => {
  it("classifies errors and advises once", () => {
    assert.equal(advisor.classifyError("prompt is too long: 9 tokens > 8 maximum").class, "overflow");
    const mine = new advisor.Advisor(() => 1000);
    const failed = { stopReason: "error", errorMessage: "529 overloaded_error: Overloaded", timestamp: 900 };
    mine.on({ type: "assistant_end", ...failed });
    const [note] = mine.notes([null, failed, null]);
    assert.match(note, /retry the same approach/);
    assert.throws(() => mine.on({ type: "nonsense" }));
  });
});

it("the package exports what its page names", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  for (const [name, place] of Object.entries(manifest.exports)) {
    if (typeof place === "string") continue;
    assert.ok(readFileSync(new URL(`../${place.types}`, import.meta.url), "utf8").length > 0, name);
  }
  assert.equal(manifest.dependencies, undefined);
});
