// The rarer roads through the real pi: a panic, a machine without the module, scripts in codemode, tools of
// other extensions, the chaos of every malformed kind.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { call, home, install, packed, releases, run, text, textOf, turns } from "./pi.mjs";

const here = dirname(fileURLToPath(import.meta.url));
/** How often pi is killed; `KILLS_OF_PI=200` for the promise, fewer for every change. */
const kills = Number(process.env.KILLS_OF_PI ?? 10);
const major = (release) => Number(release.split(".")[0]);

/** Every malformed kind by the place where it is wrong: what was sent, and what must run or be said. */
const KINDS = [
  ["alias", "read", { file_path: "a.txt" }, /hello/],
  ["null at an optional", "read", { path: "a.txt", offset: null }, /hello/],
  ["number as text", "read", { path: "a.txt", limit: "1" }, /hello/],
  ["auto-link", "read", { path: "[a.txt](http://a.txt)" }, /hello/],
  ["arguments in an envelope", "read", { arguments: { path: "a.txt" } }, /hello/],
  ["arguments as text", "read", { input: '{"path":"a.txt"}' }, /hello/],
  ["edits as text", "edit", { path: "e1.txt", edits: '[{"oldText":"one","newText":"two"}]' }, /./, ["e1.txt", "two\n"]],
  ["one edit without its list", "edit", { path: "e2.txt", edits: { oldText: "one", newText: "two" } }, /./, ["e2.txt", "two\n"]],
  ["flat edit", "edit", { path: "e3.txt", oldText: "one", newText: "two" }, /./, ["e3.txt", "two\n"]],
  ["snake case edit", "edit", { path: "e4.txt", old_string: "one", new_string: "two" }, /./, ["e4.txt", "two\n"]],
  ["command under another name", "bash", { cmd: "echo chaos" }, /chaos/],
  ["timeout as text", "bash", { command: "echo chaos", timeout: "5" }, /chaos/],
  ["null at a required field", "write", { path: null, content: "x" }, /not run/],
  ["list for a text", "bash", { command: ["ls", "-l"] }, /not run/],
  ["nothing at all", "write", {}, /not run/],
  ["text that is no number", "read", { path: "a.txt", limit: "many" }, /not run/],
  ["two names for one field", "read", { file_path: "a.txt", path: 7 }, /not run/],
];

for (const release of releases) {
  describe(`pi ${release}, rarer roads`, { concurrency: false }, () => {
    let place;
    const go = (script, options) => run(release, place, script, options);
    before(async () => {
      place = home();
      writeFileSync(join(place.work, "a.txt"), "hello\n");
      await install(release, place);
    });
    after(() => place.remove());

    it("runs what was meant or says why not, for every malformed kind", async () => {
      for (let at = 1; at <= 4; at += 1) writeFileSync(join(place.work, `e${at}.txt`), "one\n");
      const done = await go({ turns: turns(...KINDS.map(([, name, args]) => call(name, args))) });
      assert.equal(done.results.length, KINDS.length, done.err);
      const byId = new Map(done.results.map((result) => [result.toolCallId, result]));
      for (const [at, [kind, , , says, file]] of KINDS.entries()) {
        const result = byId.get(`call-${at + 1}`);
        const refused = says.source === "not run";
        assert.equal(result.isError, refused, `${kind}: ${textOf(result)}`);
        assert.match(textOf(result), says, kind);
        if (file) assert.equal(readFileSync(join(place.work, file[0]), "utf8"), file[1], kind);
      }
      assert.deepEqual(readdirSync(place.work).sort(), ["a.txt", "e1.txt", "e2.txt", "e3.txt", "e4.txt"]);
    });

    it("goes on as without it when the engine panics at every turn", async () => {
      const done = await go({ turns: turns(call("read", { path: "a.txt" }), call("read", { file_path: "a.txt" })) }, { extensions: [join(here, "planted-panic.mjs")] });
      assert.equal(done.code, 0, done.err);
      assert.deepEqual(done.results.map((it) => it.isError), [false, true]);
      assert.match(textOf(done.results[0]), /hello/);
      assert.equal(textOf(done.messages.at(-1)), "Done.");
    });

    it("fails no call on a full disk or in a folder that cannot be written", { skip: !existsSync("/dev/full") && "there is no full disk here" }, async () => {
      const file = join(place.root, "a file where a folder should be");
      writeFileSync(file, "");
      for (const telemetry of ["/dev/full", join(file, "telemetry.jsonl")]) {
        const env = { PI_TOOL_REPAIR_TELEMETRY: telemetry, PI_TOOL_REPAIR_SETTINGS: join(file, "settings.json") };
        const done = await go({ turns: turns(call("read", { file_path: "a.txt" })) }, { env, prompt: ["/repair-settings showNotes true", "go"] });
        assert.equal(done.code, 0, done.err);
        assert.match(textOf(done.results[0]), /corrected before it ran[^]*hello/);
      }
    });

    it(`loses no complete record when it is killed ${kills} times while it writes`, { timeout: 3_600_000 }, async () => {
      const settings = join(place.root, "killed.json");
      const log = join(place.root, "killed.jsonl");
      writeFileSync(settings, '{"mine": 1e400, "showNotes": false}');
      const prompt = Array.from({ length: 200 }, (_, at) => [`/repair-settings showNotes ${at % 2 === 0}`, "go"]).flat();
      const script = { turns: Array.from({ length: 200 }, () => turns(...Array.from({ length: 5 }, () => call("read", { file_path: "a.txt" })))).flat() };
      const env = { PI_TOOL_REPAIR_SETTINGS: settings, PI_TOOL_REPAIR_TELEMETRY: log };
      const records = () => (existsSync(log) ? readFileSync(log, "utf8") : "").split("\n").filter((line) => line.startsWith("{") && line.endsWith("}"));
      for (let round = 0, last = 0; round < kills; round += 1) {
        const wrote = () => records().length > last;
        const done = await go(script, { env, prompt, kill: { when: wrote, after: (round * 7) % 41 } });
        assert.equal(done.signal, "SIGKILL", done.err);
        assert.match(readFileSync(settings, "utf8"), /"mine": 1e400, "showNotes": (true|false)/);
        const whole = records();
        for (const line of whole) JSON.parse(line);
        assert.ok(whole.length > last, "no complete record is lost");
        last = whole.length;
      }
      const stats = await go({ turns: [] }, { env, prompt: "/repair-stats" });
      assert.match(stats.out + stats.err, /By tool/);
    });

    it("says one sentence where there is no module for the machine, and steps aside", async () => {
      const folder = join(packed().folder, "native");
      renameSync(folder, `${folder}.away`);
      mkdirSync(folder);
      try {
        const done = await go({ turns: turns(call("read", { path: "a.txt" })) });
        assert.equal(done.code, 0, done.err);
        assert.match(done.err, /^pi-repair has no native module for [\w-]+, so tool calls are not repaired in this session; pi works as without it\.$/m);
        assert.equal(done.results[0].isError, false);
      } finally {
        renameSync(folder, `${folder}.empty`);
        renameSync(`${folder}.away`, folder);
      }
    });

    it("repairs the tool of another extension with that owner's configuration, one note, in the stats", async () => {
      const done = await go({ turns: turns(call("inspect_asset", { file_path: "a", labels: "x" }), call("inspect_asset", { path: "a" })) }, { extensions: [join(here, "owner.mjs")] });
      assert.match(textOf(done.results[0]), /^<repair_note>[^]*<\/repair_note>\ninspected \{"labels":\["x"\],"path":"a"\}$/, done.err);
      assert.equal(textOf(done.results[1]), 'inspected {"path":"a"}');
      assert.equal(textOf(done.results[0]).match(/<repair_note>/g).length, 1);
      const log = readFileSync(join(place.agent, "tool-repair", "telemetry.jsonl"), "utf8");
      assert.match(log, /"tool":"inspect_asset"/);
    });

    it("works for the owner's tool alone, too", async () => {
      const done = await go({ turns: turns(call("inspect_asset", { file_path: "a" })) }, { args: ["-ne", "-e", join(here, "scripted.mjs"), "-e", join(here, "owner.mjs")] });
      assert.match(textOf(done.results[0]), /^<repair_note>[^]*inspected \{"path":"a"\}$/, done.err);
    });

    it("puts no note into what a script of codemode reads", { skip: major(release) < 1 ? "there is no codemode" : false }, async () => {
      const code = 'const out = await tools.read({ file_path: "a.txt" }); return out;';
      const done = await go({ turns: turns(call("codemode", { code })) }, { args: ["--tools", "codemode,read"] });
      const said = done.results.map(textOf).join("\n");
      assert.doesNotMatch(said, /repair_note/);
      assert.match(said, /hello/, `${said}\n${done.err}`);
    });

    it("changes neither the tools nor the prompt that the model gets, whatever tools were chosen", async () => {
      const script = { turns: [{ content: [text("Done.")] }] };
      for (const args of [["--tools", "read,grep,ls"], ["--no-builtin-tools"], ["--no-tools"]]) {
        const mine = await go(script, { args });
        const without = await go(script, { args: [...args, "-ne", "-e", join(here, "scripted.mjs")] });
        const asked = (done) => JSON.stringify(done.requests.map(({ system, tools }) => [system, tools]), (key, value) => (key === "timestamp" ? 0 : value));
        assert.equal(mine.code, 0, mine.err);
        assert.equal(asked(mine), asked(without), args.join(" "));
      }
    });

    it("leaves repair off where the settings say so, and advice on", async () => {
      const settings = join(place.root, "off.json");
      writeFileSync(settings, '{"repair": false}');
      const env = { PI_TOOL_REPAIR_SETTINGS: settings };
      const done = await go({ turns: turns(call("read", { file_path: "a.txt" })) }, { env });
      assert.equal(done.results[0].isError, true);
      const failed = await go({ turns: [{ error: "401 unauthorized" }, { content: [text("Done.")] }] }, { env, prompt: ["one", "two"] });
      assert.match(textOf(failed.requests.at(-1).messages.at(-1)), /pi-repair note/);
      writeFileSync(settings, '{"advisor": false}');
      const silent = await go({ turns: [{ error: "401 unauthorized" }, { content: [text("Done.")] }] }, { env, prompt: ["one", "two"] });
      assert.doesNotMatch(textOf(silent.requests.at(-1).messages.at(-1)), /pi-repair note/);
    });
  });
}
