// The mark on a result row: below pi's own rendering, never wider than the row.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadNative } from "../dist/native.js";
import { marked, markedRenderers, rulesOf } from "../dist/render.js";

const theme = { fg: (_color, text) => text };
const note = "<repair_note>\nThis call was corrected before it ran. Next time:\n- Read `path` from another name: the field is called `path`, and ‹so› on, at length…\n</repair_note>";
const runtime = (settings) => () => ({ settings: { showIndicator: true, showNotes: false, ...settings }, native: loadNative(), guard: (run) => run() });
const seen = [];
const inner = (result, _options, _theme, context) => {
  seen.push({ result, last: context?.lastComponent });
  return { render: (width) => ["x".repeat(Math.min(width, 3))], invalidate() {} };
};
const result = { content: [{ type: "text", text: note }, { type: "text", text: "body" }], details: { d: 1 } };

describe("the mark", () => {
  it("stands below pi's own rows, which never see the note", () => {
    const rules = new Map([["c1", ["schema.drop-null"]]]);
    const draw = marked(inner, runtime({}), rules);
    const first = draw(result, {}, theme, { toolCallId: "c1" });
    assert.deepEqual(first.render(80), ["xxx", "repaired (schema.drop-null)"]);
    assert.deepEqual(seen.at(-1).result, { content: [{ type: "text", text: "body" }], details: { d: 1 } });
    const context = { toolCallId: "c1", lastComponent: first };
    draw(result, {}, theme, context);
    assert.equal(seen.at(-1).last, first.body);
    assert.equal(context.lastComponent, first);
  });

  it("leaves rows without a repair to pi", () => {
    const plain = { content: [{ type: "text", text: "body" }] };
    const draw = marked(inner, runtime({}), new Map());
    assert.deepEqual(draw(plain, {}, theme, {}).render(80), ["xxx"]);
    assert.equal(seen.at(-1).result, plain);
  });

  it("fits every width, with and without the note", () => {
    const rules = new Map([["c1", Array.from({ length: 40 }, (_, at) => `schema.rule-${at}`)]]);
    for (const settings of [{}, { showNotes: true }, { showIndicator: false, showNotes: true }, { showIndicator: false }]) {
      const row = marked(inner, runtime(settings), rules)(result, {}, theme, { toolCallId: "c1" });
      for (let width = 1; width <= 130; width += 1) {
        for (const line of row.render(width)) assert.ok([...line].length <= width, `${width}: ${line}`);
      }
    }
  });

  it("follows the settings of the moment, and says nothing after the session", () => {
    const draw = (now) => marked(inner, now, new Map())(result, {}, theme, { toolCallId: "c1" }).render(80).slice(1);
    assert.deepEqual(draw(runtime({})), ["repaired"]);
    assert.deepEqual(draw(runtime({ showIndicator: false })), []);
    assert.match(draw(runtime({ showNotes: true })).join(" "), /corrected before it ran/);
    assert.deepEqual(draw(() => undefined), []);
  });

  it("is added to whatever draws a tool, and to nothing where nothing does", () => {
    assert.equal(markedRenderers(undefined, runtime({}), new Map()), undefined);
    const own = { renderCall: () => 1 };
    assert.equal(markedRenderers(own, runtime({}), new Map()), own);
    assert.equal(markedRenderers({ ...own, renderResult: inner }, runtime({}), new Map()).renderCall, own.renderCall);
  });

  it("comes back from the session's own entries, whatever else stands there", () => {
    const entries = [
      { type: "custom", customType: "pi-repair", data: { id: "c1", rules: ["a", 7, "b"] } },
      { type: "custom", customType: "pi-repair", data: { id: 5, rules: [] } },
      { type: "custom", customType: "other", data: { id: "c2", rules: [] } },
      { type: "message" },
    ];
    assert.deepEqual([...rulesOf(entries)], [["c1", ["a", "b"]]]);
  });
});
