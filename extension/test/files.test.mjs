// Settings and telemetry survive what happens to processes and disks.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { loadNative } from "../dist/native.js";
import { Runtime, switchesOf } from "../dist/runtime.js";
import { READ } from "./tools.mjs";

const folder = () => mkdtempSync(join(tmpdir(), "pi-repair-files-"));
const rounds = Number(process.env.KILLS ?? 200);

/** Writes settings and records until it is killed. */
const WRITER = `
import { Runtime, switchesOf } from ${JSON.stringify(new URL("../dist/runtime.js", import.meta.url).href)};
import { loadNative } from ${JSON.stringify(new URL("../dist/native.js", import.meta.url).href)};
const made = new Runtime(loadNative(), process.argv[1], "1.6.0", switchesOf({}));
made.setTools([${JSON.stringify(READ)}]);
process.stdout.write("ready");
for (let at = 0; ; at += 1) {
  made.prepare("read", { file_path: "/x" });
  made.change({ showNotes: at % 2 === 0 });
}
`;

describe("files", () => {
  it(`a writer killed ${rounds} times leaves whole records and readable settings`, { timeout: 600_000 }, async () => {
    const place = folder();
    const settings = join(place, "tool-repair", "settings.json");
    const log = join(place, "tool-repair", "telemetry.jsonl");
    mkdirSync(join(place, "tool-repair"));
    writeFileSync(settings, '{"mine": 1e400, "showNotes": false}');
    let last = 0;
    for (let round = 0; round < rounds; round += 1) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", WRITER, place], { stdio: ["ignore", "pipe", "inherit"] });
      await new Promise((done) => child.stdout.once("data", done));
      await new Promise((done) => setTimeout(done, (round * 7) % 13));
      child.kill("SIGKILL");
      await new Promise((done) => child.once("exit", done));
      assert.match(readFileSync(settings, "utf8"), /"mine": 1e400, "showNotes": (true|false)/);
      const lines = (existsSync(log) ? readFileSync(log, "utf8") : "").split("\n");
      const whole = lines.filter((line) => line.startsWith("{") && line.endsWith("}"));
      for (const line of whole) JSON.parse(line);
      assert.ok(whole.length >= last, "no complete record is lost");
      last = whole.length;
    }
    const runtime = new Runtime(loadNative(), place, "1.6.0", switchesOf({}));
    const stats = JSON.parse(runtime.stats(80, [], true));
    assert.equal(stats.records, last);
    assert.deepEqual(runtime.diagnostics, []);
  });

  it("a folder that cannot be written, and a full disk, cost the record and never the call", () => {
    const place = folder();
    writeFileSync(join(place, "tool-repair"), "a file where the folder should be");
    const blocked = new Runtime(loadNative(), place, "1.6.0", switchesOf({}));
    blocked.setTools([READ]);
    assert.deepEqual(blocked.prepare("read", { file_path: "/x" }), { path: "/x" });
    assert.match(blocked.change({ telemetry: false }), /cannot be (written|read)/);
    if (existsSync("/dev/full")) {
      const full = new Runtime(loadNative(), folder(), "1.6.0", switchesOf({ PI_TOOL_REPAIR_TELEMETRY: "/dev/full" }));
      full.setTools([READ]);
      for (let at = 0; at < 3; at += 1) assert.deepEqual(full.prepare("read", { file_path: "/x" }), { path: "/x" });
    }
  });

  it("a settings file that cannot be read is not written over", () => {
    const place = folder();
    mkdirSync(join(place, "tool-repair"));
    const file = join(place, "tool-repair", "settings.json");
    writeFileSync(file, "{ oops");
    const made = new Runtime(loadNative(), place, "1.6.0", switchesOf({}));
    assert.equal(made.diagnostics.length, 1);
    assert.match(made.change({ telemetry: false }), /cannot be read/);
    assert.equal(readFileSync(file, "utf8"), "{ oops");
  });

  it("a settings file of pi-repair-layer works as it is, and keeps what it says", () => {
    const place = folder();
    mkdirSync(join(place, "tool-repair"));
    const file = join(place, "tool-repair", "settings.json");
    writeFileSync(file, '{"grammarRecovery":"recover","mine":[1]}\n');
    const made = new Runtime(loadNative(), place, "1.6.0", switchesOf({}));
    assert.equal(made.settings.policyProfile, "recover");
    assert.equal(readFileSync(file, "utf8"), '{"grammarRecovery":"recover","mine":[1]}\n');
    assert.equal(made.change({ showNotes: true }), undefined);
    assert.match(readFileSync(file, "utf8"), /"mine":\[1\]/);
    assert.match(made.change({ policyProfile: "bold" }), /policyProfile/);
  });

  it("records nothing where telemetry is off, and never a value", () => {
    const place = folder();
    for (const env of [{ PI_TOOL_REPAIR_TELEMETRY: "off" }, {}]) {
      const made = new Runtime(loadNative(), place, "1.6.0", switchesOf(env));
      made.setTools([READ]);
      made.prepare("read", { file_path: "/CANARY", CANARY: null, limit: null });
      assert.throws(() => made.prepare("read", { path: null, CANARY: "CANARY" }));
      made.flush();
      const file = join(place, "tool-repair", "telemetry.jsonl");
      assert.equal(existsSync(file), env.PI_TOOL_REPAIR_TELEMETRY === undefined);
      if (existsSync(file)) assert.doesNotMatch(readFileSync(file, "utf8"), /CANARY/);
    }
  });

  it("cuts a log that has grown too long at a line, oldest first", () => {
    const place = folder();
    const made = new Runtime(loadNative(), place, "1.6.0", switchesOf({}));
    mkdirSync(join(place, "tool-repair"));
    const line = (at) => `${JSON.stringify({ v: 1, time: at, channel: "tool", tool: "read", outcome: "valid" })}\n`;
    writeFileSync(made.telemetry.file, Array.from({ length: 20_000 }, (_, at) => line(at + 1)).join(""));
    made.telemetry.rotate((log) => loadNative().rotate(log, 1 << 20, 1 << 19));
    const left = readFileSync(made.telemetry.file, "utf8");
    assert.ok(left.length <= 1 << 19 && left.endsWith(line(20_000)) && left.startsWith("{"));
    assert.deepEqual(readdirSync(join(place, "tool-repair")), ["telemetry.jsonl"]);
  });

  it("goes on in the new file when another process cuts the log, and leaves links as they are", () => {
    const place = folder();
    const made = new Runtime(loadNative(), place, "1.6.0", switchesOf({}));
    made.setTools([READ]);
    const repair = () => made.prepare("read", { file_path: "/x" });
    repair();
    renameSync(made.telemetry.file, `${made.telemetry.file}.old`);
    writeFileSync(made.telemetry.file, "");
    rmSync(`${made.telemetry.file}.old`);
    repair();
    assert.equal(readFileSync(made.telemetry.file, "utf8").split("\n").length, 2);
    const real = join(place, "real.json");
    writeFileSync(real, "{}");
    symlinkSync(real, made.settingsFile);
    assert.equal(made.change({ showNotes: true }), undefined);
    assert.ok(lstatSync(made.settingsFile).isSymbolicLink());
    assert.match(readFileSync(real, "utf8"), /"showNotes": ?true/);
  });

  it("a settings file that is none, or cannot be read, is one clear line, never a failed call, and stays as it is", { skip: process.platform === "win32" }, () => {
    const place = folder();
    const file = (name) => join(place, name);
    mkdirSync(file("folder"));
    spawnSync("mkfifo", [file("pipe")]);
    symlinkSync(file("loop"), file("loop"));
    writeFileSync(file("plain"), "");
    writeFileSync(file("huge"), `{"a": "${"x".repeat(2 << 20)}"}`);
    writeFileSync(file("latin1"), Buffer.from('{"note": "caf\xe9", "repair": true}', "latin1"));
    writeFileSync(file("utf16"), Buffer.from('{"repair": false}', "utf16le"));
    writeFileSync(file("binary"), Buffer.from([0, 255, 254, 1]));
    const odd = [
      ["folder", /it is a folder/], ["pipe", /it is no file/], ["loop", /circle/], ["plain/settings.json", /no folder/], ["huge", /larger than 1 MiB/],
      ["latin1", /no UTF-8/], ["binary", /no UTF-8/], ["utf16", /cannot be read/],
    ];
    for (const [name, says] of odd) {
      const made = new Runtime(loadNative(), place, "1.6.0", switchesOf({ PI_TOOL_REPAIR_SETTINGS: ` ${file(name)} `, PI_TOOL_REPAIR_TELEMETRY: "off" }));
      made.setTools([READ]);
      assert.equal(made.diagnostics.length, 1, `${name}: ${made.diagnostics.join(" ")}`);
      assert.match(made.diagnostics[0], says);
      assert.deepEqual(made.prepare("read", { file_path: "/x" }), { path: "/x" });
      const before = lstatSync(file(name.split("/")[0])).mtimeMs;
      assert.match(made.change({ showNotes: true }), /cannot be read/, name);
      assert.equal(lstatSync(file(name.split("/")[0])).mtimeMs, before, name);
    }
    writeFileSync(file("bom"), '\ufeff{"repair": false}');
    const bom = new Runtime(loadNative(), place, "1.6.0", switchesOf({ PI_TOOL_REPAIR_SETTINGS: file("bom"), PI_TOOL_REPAIR_TELEMETRY: "off" }));
    assert.equal(bom.settings.repair, false);
  });

  it("a file for records that is none costs the records, is one clear line, and stops nothing", { skip: process.platform === "win32" }, () => {
    const place = folder();
    mkdirSync(join(place, "folder"));
    spawnSync("mkfifo", [join(place, "pipe")]);
    symlinkSync(join(place, "loop"), join(place, "loop"));
    for (const [name, says] of [["folder", /it is a folder/], ["pipe", /it is no file/], ["loop", /circle/]]) {
      const made = new Runtime(loadNative(), place, "1.6.0", switchesOf({ PI_TOOL_REPAIR_TELEMETRY: join(place, name) }));
      made.setTools([READ]);
      assert.equal(made.diagnostics.length, 1, name);
      assert.match(made.diagnostics[0], says);
      for (let at = 0; at < 3; at += 1) assert.deepEqual(made.prepare("read", { file_path: "/x" }), { path: "/x" });
      made.telemetry.rotate(() => 0);
      assert.equal(JSON.parse(made.stats(80, [], true)).records, 0);
    }
    const missing = join(place, "not", "there", "t.jsonl");
    const made = new Runtime(loadNative(), place, "1.6.0", switchesOf({ PI_TOOL_REPAIR_TELEMETRY: missing }));
    made.setTools([READ]);
    made.prepare("read", { file_path: "/x" });
    assert.deepEqual([made.diagnostics, readFileSync(missing, "utf8").split("\n").length], [[], 2]);
  });

  it("reads the switches of the environment", () => {
    const switches = switchesOf({ PI_TOOL_REPAIR_TELEMETRY: "/tmp/t.jsonl", PI_TOOL_REPAIR_LOG: "1", PI_TOOL_REPAIR_PASSTHROUGH: "0", PI_TOOL_REPAIR_SETTINGS: "/tmp/s.json" });
    assert.deepEqual(switches, { settingsFile: "/tmp/s.json", telemetryFile: "/tmp/t.jsonl", telemetryOff: false, passthrough: false, log: true });
    assert.equal(switchesOf({ PI_TOOL_REPAIR_TELEMETRY: "OFF" }).telemetryOff, true);
    const blank = switchesOf({ PI_TOOL_REPAIR_TELEMETRY: " ", PI_TOOL_REPAIR_LOG: " 0 ", PI_TOOL_REPAIR_PASSTHROUGH: "  ", PI_TOOL_REPAIR_SETTINGS: "\t" });
    assert.deepEqual(blank, { telemetryOff: false, passthrough: false, log: false });
    assert.equal(switchesOf({ PI_TOOL_REPAIR_TELEMETRY: " off " }).telemetryOff, true);
    const made = new Runtime(loadNative(), folder(), "1.6.0", { telemetryOff: true, passthrough: true, log: false });
    made.setTools([READ]);
    const bad = { path: null };
    assert.equal(made.prepare("read", bad), bad);
  });
});
