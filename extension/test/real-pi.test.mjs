// What a user gets: the packed package in the real pi, release by release.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, describe, it } from "node:test";
import { call, home, install, packed, pi, releases, run, text, textOf, turns } from "./pi.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const NOTE = /^<repair_note>\n.*\n<\/repair_note>/s;

/** A session file without what differs from run to run. */
function plain(entries, place) {
  const ids = new Map();
  const named = (id) => ids.get(id) ?? ids.set(id, `#${ids.size}`).get(id);
  const text = JSON.stringify(entries, (key, value) => {
    if (["timestamp", "durationMs"].includes(key)) return 0;
    if (["id", "parentId", "firstKeptEntryId"].includes(key) && typeof value === "string" && !value.startsWith("call-")) return named(value);
    return value;
  }, 1);
  return text.replaceAll(place.root, "<root>");
}

for (const release of releases) {
  describe(`pi ${release}`, { concurrency: false }, () => {
    let place;
    const go = (script, options) => run(release, place, script, options);
    before(async () => {
      place = home();
      writeFileSync(join(place.work, "a.txt"), "hello\n");
      await install(release, place);
    });
    after(() => place.remove());

    it("repairs a malformed call of a built-in tool and says so on its result", async () => {
      const done = await go({ turns: turns(call("read", { file_path: "a.txt" })) });
      assert.equal(done.code, 0, done.err);
      assert.match(textOf(done.results[0]), NOTE);
      assert.match(textOf(done.results[0]), /hello/);
      assert.equal(done.results[0].isError, false);
      assert.equal(done.requests.at(-1).messages.filter((it) => it.role === "toolResult").length, 1);
      const [entry] = done.entries.filter((it) => it.customType === "pi-repair");
      assert.deepEqual(entry.data, { id: "call-1", rules: ["preprocess.rename-alias"] });
    });

    it("leaves a session without mistakes as it is, byte for byte", async () => {
      const script = {
        turns: [
          { content: [text("Looking."), call("read", { path: "a.txt" }), call("bash", { command: "echo hi", timeout: 5 })] },
          { content: [call("write", { path: "b.txt", content: "x\n" }), call("read", { path: "gone.txt" })] },
          { content: [call("edit", { path: "b.txt", edits: [{ oldText: "x", newText: "y" }] })] },
          { content: [text("Done.")] },
        ],
      };
      const mine = await go(script);
      const without = await go(script, { args: ["-ne", "-e", join(here, "scripted.mjs")] });
      assert.equal(mine.code, 0, mine.err);
      assert.equal(without.code, 0, without.err);
      assert.equal(readFileSync(join(place.work, "b.txt"), "utf8"), "y\n");
      assert.equal(plain(mine.entries, place), plain(without.entries, place));
      const asked = (rows) => plain(rows.requests, place);
      assert.equal(asked(mine), asked(without));
    });

    it("tells the model why a call was refused, and runs nothing", async () => {
      const done = await go({ turns: turns(call("write", { path: null, content: "x" }), call("frobnicate", { a: 1 })) });
      assert.equal(done.results.length, 2);
      assert.equal(done.results[0].isError, true);
      assert.match(textOf(done.results[0]), /Call to `write` was not run: .*converting it would change/);
      assert.equal(done.results[1].isError, true);
      assert.match(textOf(done.results[1]), /No tool has this name\. .*`read`/);
      assert.equal(existsSync(join(place.work, "null")), false);
    });

    it("finds the tool that a name means", async () => {
      const done = await go({ turns: turns(call("functions.read", { path: "a.txt" }), call("Bash", { cmd: "echo hi" })) });
      assert.deepEqual(done.results.map((it) => it.isError), [false, false]);
      for (const result of done.results) assert.match(textOf(result), NOTE);
      assert.match(textOf(done.results[1]), /hi/);
    });

    it("runs a call that stands in the text, in recover mode only", async () => {
      const leak = 'Reading.\n<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
      const script = { turns: [{ content: [text(leak)] }, { content: [text("Done.")] }] };
      const stripped = await go(script);
      assert.equal(stripped.results.length, 0);
      assert.equal(textOf(stripped.messages.at(-1)), "Reading.");
      const settings = join(place.root, "recover.json");
      writeFileSync(settings, '{"policyProfile": "recover"}');
      const done = await go(script, { env: { PI_TOOL_REPAIR_SETTINGS: settings } });
      assert.equal(done.results.length, 1, done.err);
      assert.equal(done.results[0].isError, false);
      assert.match(textOf(done.results[0]), /<repair_note>[^]*`read`[^]*<\/repair_note>[^]*hello/);
      assert.equal(done.messages.find((it) => it.role === "assistant").stopReason, "toolUse");
    });

    it("reads arguments that the host could not", { skip: Number(release.split(".")[0]) < 1 ? "the host hands no raw text on" : false }, async () => {
      const failed = (raw) => call("read", {}, { arguments_error: `Unexpected token\n\nReceived arguments:\n${raw}` });
      const done = await go({ turns: turns(failed('{"path": "a.txt",}'), failed('{"path": "a.t')) });
      assert.equal(done.results[0].isError, false, textOf(done.results[0]));
      assert.match(textOf(done.results[0]), /hello/);
      assert.match(textOf(done.results[0]), NOTE);
      assert.equal(done.results[1].isError, true);
      assert.match(textOf(done.results[1]), /cut off/);
    });

    it("tells the model why a request failed, for one request, and leaves no trace", async () => {
      const script = { turns: [{ error: "401 invalid x-api-key: sk-ant-secretsecretsecret" }, { content: [text("Done.")] }] };
      const done = await go(script, { prompt: ["first", "second"] });
      const last = done.requests.at(-1).messages.at(-1);
      assert.match(textOf(last), /^\[pi-repair note\]/);
      assert.match(textOf(last), /\/login/);
      assert.doesNotMatch(textOf(last), /secretsecret/);
      assert.equal(done.entries.filter((it) => JSON.stringify(it).includes("pi-repair note")).length, 0);
    });

    it("tells the model that the context overflowed and was compacted", async () => {
      const settings = { compaction: { enabled: true, reserveTokens: 1000, keepRecentTokens: 1 } };
      writeFileSync(join(place.agent, "settings.json"), JSON.stringify({ ...JSON.parse(readFileSync(join(place.agent, "settings.json"), "utf8")), ...settings }));
      const script = {
        turns: [
          { content: [text("One.")] },
          { error: "prompt is too long: 120000 tokens > 100000 maximum" },
          { content: [text("Done.")] },
        ],
      };
      const done = await go(script, { prompt: ["first ".repeat(50), "second"] });
      const noted = done.requests.filter((it) => it.messages.some((message) => textOf(message).includes("[pi-repair note]")));
      assert.equal(noted.length, 1, JSON.stringify(done.requests.map((it) => it.messages.map((m) => `${m.role}:${textOf(m).slice(0, 60)}`)), null, 1));
      assert.match(textOf(noted[0].messages.at(-1)), /compacted the conversation/);
    });

    it("shows settings and stats, changes a setting, and keeps its files under the agent folder", async () => {
      const shown = await pi(release, place, ["--provider", "scripted", "--model", "scripted-1", "-e", join(here, "scripted.mjs"), "-p", "/repair-settings showNotes true"], scriptEnv(place));
      assert.match(shown.out + shown.err, /showNotes is true now/);
      const file = join(place.agent, "tool-repair", "settings.json");
      assert.equal(JSON.parse(readFileSync(file, "utf8")).showNotes, true);
      const stats = await pi(release, place, ["--provider", "scripted", "--model", "scripted-1", "-e", join(here, "scripted.mjs"), "-p", "/repair-stats"], scriptEnv(place));
      assert.match(stats.out + stats.err, /By tool/);
      const log = readFileSync(join(place.agent, "tool-repair", "telemetry.jsonl"), "utf8");
      assert.doesNotMatch(log, /a\.txt|echo hi|hello/);
    });

    it("can be removed", async () => {
      const done = await pi(release, place, ["remove", packed().folder]);
      assert.equal(done.code, 0, done.err);
      const without = await go({ turns: turns(call("read", { file_path: "a.txt" })) });
      assert.equal(without.results[0].isError, true);
      assert.doesNotMatch(textOf(without.results[0]), /repair/);
    });
  });
}

function scriptEnv(place) {
  const file = join(place.root, "script.json");
  writeFileSync(file, JSON.stringify({ turns: [] }));
  return { PI_SCRIPT: file, PI_SCRIPT_LOG: join(place.root, "requests.jsonl") };
}
