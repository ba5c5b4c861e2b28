// The extension itself, on a host of the test's own: odd tools, failures of the host, several sessions in one process.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { hub } from "../dist/hub.js";
import { READ } from "./tools.mjs";

const agent = mkdtempSync(join(tmpdir(), "pi-repair-session-"));
const host = `export const VERSION = "1.6.0"; export const getAgentDir = () => ${JSON.stringify(agent)};`;
registerHooks({
  resolve: (name, context, next) =>
    name === "@earendil-works/pi-coding-agent" ? { url: `data:text/javascript,${encodeURIComponent(host)}`, shortCircuit: true } : next(name, context),
});
const { default: piRepair } = await import("../dist/index.js");

const tool = (name, parameters = READ.schema) => ({ name, description: "d", parameters, sourceInfo: { source: "local" } });
const WHERE = { type: "object", required: ["where"], properties: { where: { type: "string" } } };

/** A session of a host with these tools. */
function session(tools, { hasUI = true } = {}) {
  const [handlers, told, kept] = [new Map(), [], []];
  const pi = {
    on: (event, run) => handlers.set(event, run), registerCommand() {}, registerTool() {}, registerToolRenderer() {}, getSettings: () => ({}),
    getAllTools: () => tools(), getActiveTools: () => tools().map((one) => one.name), appendEntry: (...entry) => kept.push(entry),
  };
  const ctx = { hasUI, cwd: agent, model: { provider: "p", id: "m" }, ui: { notify: (says) => told.push(says) }, sessionManager: { getEntries: () => [] } };
  piRepair(pi);
  const fire = (event, given = {}) => handlers.get(event)?.(given, ctx);
  const called = (name, args = {}) => fire("message_end", { message: { role: "assistant", stopReason: "toolUse", timestamp: 1, provider: "p", model: "m", content: [{ type: "toolCall", id: "c1", name, arguments: args }] } })?.message.content[0];
  fire("session_start");
  return { fire, called, told, kept };
}

describe("a session", () => {
  it("goes on with the other tools where one is odd, from the start or later", () => {
    let deep = {};
    for (let level = 0; level < 200; level += 1) deep = { properties: { a: deep } };
    const trap = new Proxy({}, { ownKeys() { throw new Error("no"); } });
    for (const parameters of [undefined, null, true, "x", trap, deep, { description: "\ud83d" }, { $ref: "#/none" }]) {
      const tools = [tool("odd", parameters), tool("read")];
      const begun = session(() => tools);
      assert.deepEqual(begun.told, []);
      assert.deepEqual(begun.called("Read", { path: "/x" }).name, "read");
      begun.fire("session_shutdown");
      const later = [tool("read")];
      const grown = session(() => later);
      later.push(tool("odd", parameters), tool("write", WHERE), { parameters: {} });
      grown.fire("turn_start");
      assert.deepEqual([grown.called("Read", { path: "/x" }).name, grown.called("Write", { where: "x" }).name], ["read", "write"]);
      grown.fire("session_shutdown");
    }
  });

  it("compiles its tools at the next turn where that failed once", () => {
    const tools = [tool("read")];
    const one = session(() => tools);
    const [runtime] = hub().runtimes;
    const { setTools } = runtime;
    tools.push(tool("write", WHERE));
    runtime.setTools = () => { throw new Error("out of memory"); };
    one.fire("turn_start");
    assert.equal(one.called("Read", { path: "/x" }).name, "read");
    runtime.setTools = setTools;
    one.fire("turn_start");
    assert.equal(one.called("Write", { where: "x" }).name, "write");
    one.fire("session_shutdown");
    assert.equal(hub().runtimes.size, 0);
  });

  it("hears events in any order and shape, and can be started twice", () => {
    const one = session(() => [tool("read")]);
    const odd = [{}, { message: null }, { message: {} }, { message: { role: "assistant", stopReason: "stop", content: [null, 5] } }, { toolCallId: 5 }, { messages: null }, { toolCallId: "x", content: null }];
    const events = ["context", "tool_result", "tool_call", "tool_execution_start", "tool_execution_end", "message_end", "agent_end", "turn_start", "session_compact", "agent_settled"];
    for (const event of events) for (const given of odd) assert.equal(one.fire(event, given), undefined, event);
    one.fire("session_start");
    assert.equal(hub().runtimes.size, 1);
    assert.equal(one.called("Read", { path: "/x" }).name, "read");
    one.fire("session_shutdown");
    one.fire("session_shutdown");
    assert.equal(one.called("Read", { path: "/x" }), undefined);
  });

  it("says on standard error what is wrong with a file, where there is no screen", () => {
    mkdirSync(join(agent, "folder"));
    process.env.PI_TOOL_REPAIR_SETTINGS = join(agent, "folder");
    const [said, write] = [[], process.stderr.write];
    process.stderr.write = (line) => said.push(line);
    try {
      const one = session(() => [tool("read")], { hasUI: false });
      assert.equal(one.called("Read", { path: "/x" }).name, "read");
      one.fire("session_shutdown");
    } finally {
      process.stderr.write = write;
      delete process.env.PI_TOOL_REPAIR_SETTINGS;
    }
    assert.equal(said.length, 1);
    assert.match(said[0], /folder cannot be read \(it is a folder\); defaults are used/);
  });

  it("shares neither tools, calls nor notes with another one in its process", () => {
    const first = session(() => [tool("read")]);
    const second = session(() => [tool("read", WHERE), tool("write")]);
    assert.equal(hub().runtimes.size, 2);
    assert.equal(first.called("Write", { path: "/x" }), undefined);
    assert.equal(second.called("Write", { path: "/x" }).name, "write");
    assert.deepEqual(first.called("Read", { path: "/x", limit: null }).arguments, { path: "/x" });
    assert.deepEqual(second.called("Read", { where: "/x" }).name, "read");
    const result = { toolCallId: "c1", content: [] };
    for (const one of [first, second]) one.fire("tool_execution_start", { toolCallId: "c1", toolName: "read", args: {} });
    assert.equal(second.fire("tool_result", result)?.content.some((block) => /limit/.test(block.text)) ?? false, false);
    assert.match(first.fire("tool_result", result).content[0].text, /limit/);
    first.fire("session_shutdown");
    assert.equal(second.called("Read", { where: "/x" }).name, "read");
    second.fire("session_shutdown");
  });
});
