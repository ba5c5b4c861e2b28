// The border between JavaScript and the engine: nothing crashes, nothing valid changes, no number is bent.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isFaithful, toText, withoutLoneSurrogates } from "../dist/border.js";
import { loadNative } from "../dist/native.js";
import { Runtime } from "../dist/runtime.js";
import { READ } from "./tools.mjs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const off = { telemetryOff: true, passthrough: false, log: false };
const WRITE = {
  name: "write", origin: "typebox",
  schema: { type: "object", required: ["path", "content"], properties: { path: { type: "string" }, content: { type: "string" } } },
};

function runtime(version = "1.6.0") {
  const made = new Runtime(loadNative(), mkdtempSync(join(tmpdir(), "pi-repair-border-")), version, off);
  made.setTools([READ, WRITE]);
  return made;
}

const deepFrozen = (value) => {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFrozen);
  return Object.freeze(value);
};

describe("the JavaScript border", () => {
  it("gives the very same object back for a valid or a deferred call", () => {
    const now = runtime();
    for (const args of [{ path: "/x" }, { path: "/x", offset: 4, extra: { a: [1] } }, { path: "/x", limit: "10" }, { path: "/x", limit: undefined }]) {
      assert.equal(now.prepare("read", args), args);
    }
  });

  it("never writes to what it is given", () => {
    const now = runtime();
    const args = deepFrozen({ file_path: "/x", limit: null });
    assert.deepEqual(now.prepare("read", args), { path: "/x" });
    assert.deepEqual(args, { file_path: "/x", limit: null });
  });

  it("leaves alone what JSON cannot say", () => {
    const now = runtime();
    const cycle = { file_path: "/x" };
    cycle.self = cycle;
    const odd = [
      cycle,
      { file_path: "/x", limit: 10n },
      { file_path: "/x", limit: Number.NaN },
      { file_path: "/x", limit: -0 },
      { file_path: "/x", limit: Infinity },
      { file_path: "/x", at: new Date(0) },
      { file_path: "/x", toJSON: () => ({ path: "/y" }) },
      { file_path: "/x", list: [1, , 2] },
      { file_path: "/x", [Symbol("s")]: 1 },
      Object.defineProperty({ file_path: "/x" }, "limit", { enumerable: true, get: () => null }),
      Object.defineProperty({ file_path: "/x" }, "limit", { enumerable: true, get: () => { throw new Error("no"); } }),
      Object.assign(new (class Odd {})(), { file_path: "/x" }),
      undefined,
      () => 1,
      Symbol("x"),
    ];
    for (const args of odd) assert.equal(now.prepare("read", args), args);
  });

  it("passes valid text with half a surrogate pair, byte for byte", () => {
    const now = runtime();
    const args = { path: "/x", content: "a\ud800b \\ud800 \udfff" };
    assert.equal(now.prepare("write", args), args);
    assert.throws(() => now.prepare("write", { file_path: null, content: "\ud800" }), { name: "UnrepairableToolInputError" });
  });

  it("passes huge valid texts and keeps hostile keys", () => {
    const now = runtime();
    const huge = { path: "/x", content: "é".repeat(8 << 20) };
    assert.equal(now.prepare("write", huge), huge);
    const hostile = JSON.parse('{"file_path":"/x","__proto__":{"a":1},"constructor":2}');
    const made = now.prepare("read", hostile);
    assert.deepEqual(Object.keys(made).sort(), ["__proto__", "constructor", "path"]);
    assert.equal({}.a, undefined);
  });

  it("copies no long text over where no text could be wrong, and every one where one could", () => {
    const long = `${"x".repeat(3000)}^`;
    const texts = { free: { type: "string" }, bounded: { type: "string", minLength: 3, maxLength: 5000 }, short: { type: "string", maxLength: 50 }, listed: { enum: ["a", "b"] }, like: { type: "string", pattern: "^y" } };
    const now = runtime();
    now.setTools([{ name: "t", origin: "typebox", schema: { type: "object", properties: { ...texts, list: { type: "array", items: texts.free } } } }]);
    const { session } = now;
    const crossed = (args) => {
      let all = false;
      now.session = { ...session, settle: () => undefined, passes: (...rest) => session.passes(...rest), prepare: () => ((all = true), null) };
      assert.equal(now.prepare("t", args), args);
      now.session = session;
      return all;
    };
    for (const args of [{ free: long }, { list: ["a", long] }, { free: long, short: "a", listed: "b" }, { undeclared: { deep: long } }, { bounded: long, short: "a" }]) {
      assert.equal(crossed(args), false, Object.keys(args).join());
      assert.equal(now.prepare("t", args), args);
    }
    for (const args of [{ bounded: "x".repeat(5001) }, { bounded: "\u00009", free: long }, { short: long }, { listed: long }, { like: long }, { free: long, list: long }, { free: long, short: null }]) {
      assert.equal(crossed(args), true, Object.keys(args).join());
    }
    // A character of two units counts once: only where that could matter the whole is read.
    assert.equal(crossed({ bounded: "😀".repeat(2500) }), false);
    assert.equal(crossed({ bounded: "😀".repeat(2501) }), true);
    const faces = { bounded: "😀".repeat(5000) };
    assert.equal(now.prepare("t", faces), faces);
    for (const bounded of ["😀".repeat(5001), "x".repeat(5001), "\u00003"]) assert.throws(() => now.prepare("t", { bounded, free: long }), { name: "UnrepairableToolInputError" });
    assert.throws(() => now.prepare("t", { short: long }), { name: "UnrepairableToolInputError" });
    assert.throws(() => now.prepare("t", { listed: long }), { name: "UnrepairableToolInputError" });
  });

  it("keeps every number that it does not repair", () => {
    const now = runtime();
    for (const offset of [1e21, 1.5e-7, 2 ** 53 + 2, 123456789012345680000, 5e-324, 0.1 + 0.2]) {
      let made;
      try {
        made = now.prepare("read", { file_path: "/x", offset });
      } catch (error) {
        assert.equal(error.reason, "inexact-number");
        continue;
      }
      assert.ok(Object.is(made.offset, offset), String(offset));
    }
  });

  it("refuses what nests too deep, and leaves alone what JavaScript itself cannot write", () => {
    const nested = (levels) => {
      let value = "x";
      for (let level = 0; level < levels; level += 1) value = [value];
      return { path: "/x", extra: value };
    };
    const now = runtime();
    assert.throws(() => now.prepare("read", nested(200)), { reason: "too-deep" });
    const deepest = nested(100_000);
    assert.equal(now.prepare("read", deepest), deepest);
  });

  it("makes an error of a panic, and works on", () => {
    const native = loadNative();
    assert.throws(() => native.panicOnPurpose(), Error);
    const now = runtime();
    now.session.prepare = () => native.panicOnPurpose();
    const args = { file_path: "/x" };
    assert.equal(now.prepare("read", args), args);
  });

  it("knows texts from values", () => {
    assert.equal(toText(undefined), undefined);
    assert.equal(toText(1n), undefined);
    assert.ok(isFaithful({ a: undefined, b: [1, "x", null] }, '{"b":[1,"x",null]}'));
    assert.ok(!isFaithful({ a: [undefined] }, '{"a":[null]}'));
    assert.equal(withoutLoneSurrogates('"\\ud800 \\\\ud800"'), '"\\ufffd \\\\ud800"');
  });
});
