// What the pages say is so: their examples run, their names exist, their tables are the engine's.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import ownTool from "../examples/own-tool.mjs";
import { loadNative } from "../dist/native.js";
import * as advisor from "../dist/advisor.js";
import * as core from "../dist/core.js";
import * as grammar from "../dist/grammar.js";
import * as owner from "../dist/pi.js";

const page = (name) => readFileSync(new URL(`../docs/${name}.md`, import.meta.url), "utf8");

describe("the pages", () => {
  it("link to files that exist, in a checkout and in the package alike", () => {
    const root = new URL("../", import.meta.url);
    const { files } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
    const packed = (path) => ["README.md", "LICENSE", ...files].some((one) => path === one || path.startsWith(`${one}/`));
    const pages = ["README.md", ...readdirSync(new URL("docs", root)).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];
    let links = 0;
    for (const name of pages) {
      for (const [, to] of readFileSync(new URL(name, root), "utf8").matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        if (/^[a-z]+:/.test(to)) continue;
        const place = new URL(to, new URL(name, root));
        assert.ok(existsSync(place), `${name} links to ${to}`);
        assert.ok(packed(place.href.slice(root.href.length)), `${name} links to ${to}, which the package does not have`);
        links += 1;
      }
    }
    assert.ok(links >= 7, String(links));
  });

  it("have the catalogue of the engine beside them", () => {
    const printed = new URL("../../docs/catalog.md", import.meta.url);
    assert.equal(page("catalog"), readFileSync(printed, "utf8"));
  });

  it("name every setting, with its values", () => {
    const text = page("operations");
    for (const key of JSON.parse(loadNative().settingKeys())) {
      const row = text.split("\n").find((line) => line.startsWith(`| \`${key.name}\` |`));
      assert.ok(row, key.name);
      for (const [, choice] of key.accepts.matchAll(/"([^"]+)"/g)) assert.match(row, new RegExp(choice), key.name);
    }
  });

  it("name only what is exported", () => {
    const rows = page("own-tools").split("\n");
    for (const [name, module] of [["pi-repair/core", core], ["pi-repair/grammar", grammar], ["pi-repair/advisor", advisor]]) {
      const row = rows.find((line) => line.startsWith(`| \`${name}\` |`));
      for (const [, what] of row.split("|")[2].matchAll(/`(\w+)`/g)) assert.equal(typeof module[what], "function", what);
    }
    for (const [, what] of page("own-tools").matchAll(/`((?:adapt|Unrepairable|RepairConfig)\w+)`/g)) assert.equal(typeof owner[what], "function", what);
  });

  it("have a migration row whose names on the right exist", () => {
    const text = page("own-tools");
    const rows = text.slice(text.indexOf("## Coming from")).split("\n").filter((line) => line.startsWith("| `"));
    const all = { ...owner, ...core, ...grammar };
    const types = new Set(["PiToolOwnerAdapterOptions", "RepairPipelineConfig", "RepairPipelineResult", "RepairChange", "RepairFeedback", "Preprocessor"]);
    let kept = 0;
    for (const row of rows) {
      const [, there, here] = row.split("|");
      if (!/^ the same/.test(here) || /settings file|maxInput/.test(there)) continue;
      for (const [, name] of there.matchAll(/`([A-Za-z]+)`/g)) {
        if (types.has(name) || /^(alias|structural)$/.test(name)) continue;
        assert.equal(typeof all[name], "function", name);
        kept += 1;
      }
    }
    assert.ok(kept >= 11, String(kept));
  });

  it("have an example that works with the package and without it", async () => {
    const registered = [];
    const pi = { registerTool: (tool) => registered.push(tool) };
    await ownTool(pi, () => import("../dist/pi.js"));
    assert.deepEqual(registered[0].prepareArguments({ file_path: "/x", labels: "a" }), { path: "/x", labels: ["a"] });
    const absent = Object.assign(new Error("Cannot find package 'pi-repair'"), { code: "ERR_MODULE_NOT_FOUND" });
    await ownTool(pi, () => Promise.reject(absent));
    assert.equal(registered[1].prepareArguments, undefined);
    const broken = Object.assign(new Error("Cannot find module './typed.js'"), { code: "ERR_MODULE_NOT_FOUND" });
    await assert.rejects(ownTool(pi, () => Promise.reject(broken)));
  });

  it("show code that runs and does what is said", async () => {
    const blocks = [...page("own-tools").matchAll(/```(js|json)\n([^]*?)```/g)];
    assert.deepEqual(blocks.map(([, kind]) => kind), ["js", "json", "js"]);
    const done = { tools: [], ran: [] };
    const schema = { type: "object", required: ["path"], properties: { path: { type: "string" }, limit: { type: "number" }, labels: { type: "array", items: { type: "string" } } } };
    const given = {
      schema, dist: new URL("../dist/", import.meta.url).href, run: (args) => done.ran.push(args),
      pi: { registerTool: (tool) => done.tools.push(tool) }, definition: { name: "mine", parameters: schema, execute: async () => ({ content: [] }) },
    };
    const AsyncFunction = (async () => undefined).constructor;
    for (const [, kind, text] of blocks) {
      if (kind === "json") assert.ok(JSON.parse(text).peerDependencies["pi-repair"]);
      else await new AsyncFunction(...Object.keys(given), text.replace(/import (\{.+?\}) from "pi-repair\/(\w+)";/g, "const $1 = await import(`${dist}$2.js`);"))(...Object.values(given));
    }
    assert.deepEqual(done.ran, [{ path: "/x" }]);
    assert.deepEqual(done.tools[0].prepareArguments({ file_path: "/x", labels: "a" }), { path: "/x", labels: ["a"] });
  });
});
