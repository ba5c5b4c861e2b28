// pi's own tools are taken over only where they are pi's own.

import assert from "node:assert/strict";
import { it } from "node:test";
import { ownDefinitions, withRepair } from "../dist/builtins.js";

const parameters = { type: "object", required: ["path"], properties: { path: { type: "string" } } };
const made = { name: "read", label: "read", description: "Reads.", parameters, promptGuidelines: ["g"], renderCall() {}, execute: async (...args) => args };
const seen = [];
const host = { getAgentDir: () => "/nowhere", createReadToolDefinition: (cwd, options) => (seen.push([cwd, options]), { ...made }) };
const ctx = { cwd: "/work" };
const info = { name: "read", description: "Reads.", parameters, promptGuidelines: ["g"], sourceInfo: { source: "builtin" } };
const owned = (tool) => ownDefinitions({ getAllTools: () => [tool], getSettings: () => ({ images: { autoResize: false } }) }, host, ctx).length;

it("takes a tool over only if pi's factory makes just that", () => {
  assert.equal(owned(info), 1);
  assert.deepEqual(seen[0], ["/work", { autoResizeImages: false }]);
  assert.equal(owned({ ...info, sourceInfo: { source: "local" } }), 0);
  assert.equal(owned({ ...info, sourceInfo: undefined }), 0);
  assert.equal(owned({ ...info, description: "Reads on another machine." }), 0);
  assert.equal(owned({ ...info, promptGuidelines: undefined }), 0);
  assert.equal(owned({ ...info, parameters: { ...parameters, required: [] } }), 0);
  assert.equal(owned({ ...info, name: "codemode" }), 0);
});

it("adds one member to a definition, and passes every argument of execute on", async () => {
  const mine = withRepair(made, () => undefined);
  assert.deepEqual(Object.keys(mine).filter((key) => mine[key] !== made[key]), ["prepareArguments"]);
  assert.deepEqual(await mine.execute(1, 2, 3, 4, 5, 6), [1, 2, 3, 4, 5, 6]);
  const args = { path: "/x" };
  assert.equal(mine.prepareArguments(args), args);
  const hooked = withRepair({ ...made, prepareArguments: (given) => ({ ...given, more: 1 }) }, () => undefined);
  assert.deepEqual(hooked.prepareArguments(args), { path: "/x", more: 1 });
});
