// pi on a screen: the mark below a repaired call, after /reload and in a resumed session, too.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { call, home, install, installed, releases, text, turns } from "./pi.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const hasScreen = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

/** pi on a terminal of 80 columns, and what it has shown. */
class Screen {
  constructor(release, place, script, more = []) {
    const { node, cli } = installed(release);
    const file = join(place.root, "script.json");
    writeFileSync(file, JSON.stringify(script));
    const args = [node, cli, "-e", join(here, "scripted.mjs"), "--provider", "scripted", "--model", "scripted-1", "--system-prompt", "You are under test.", "--session-dir", place.sessions, "--no-skills", "--no-context-files", ...more];
    const command = `stty cols 80 rows 40; exec ${args.map((arg) => `'${arg}'`).join(" ")}`;
    const env = { PATH: process.env.PATH, HOME: place.root, TERM: "xterm-256color", PI_CODING_AGENT_DIR: place.agent, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_SCRIPT: file, PI_SCRIPT_LOG: join(place.root, "requests.jsonl") };
    this.child = spawn("script", ["-qfec", command, "/dev/null"], { cwd: place.work, env, stdio: ["pipe", "pipe", "inherit"] });
    this.shown = "";
    this.child.stdout.on("data", (chunk) => (this.shown += chunk));
  }

  text() {
    return this.shown.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[\]_][^\x07\x1b]*(\x07|\x1b\\)|\x1b./g, "");
  }

  async until(pattern) {
    for (let left = 300; left > 0; left -= 1) {
      if (pattern.test(this.text())) return;
      await new Promise((done) => setTimeout(done, 200));
    }
    assert.fail(`${pattern} is not shown:\n${this.text().slice(-2000)}`);
  }

  type(line) {
    this.shown = "";
    this.child.stdin.write(line);
    // A line end that comes in the same breath counts as pasted.
    setTimeout(() => this.child.stdin.write("\r"), 300);
  }

  async close() {
    this.child.kill("SIGKILL");
    await new Promise((done) => this.child.once("exit", done));
  }
}

const MARK = /repaired \(preprocess\.rename-alias\)/;

for (const release of releases) {
  it(`pi ${release} shows the mark, also after /reload and when resumed`, { skip: !hasScreen, timeout: 240_000 }, async () => {
    const place = home();
    writeFileSync(join(place.work, "a.txt"), "hello\n");
    await install(release, place);
    const script = { turns: turns(text("Well."), call("read", { file_path: "a.txt" })) };
    let screen = new Screen(release, place, script);
    try {
      await screen.until(/scripted-1/);
      screen.type("go");
      await screen.until(/Done\./);
      await screen.until(MARK);
      assert.doesNotMatch(screen.text(), /corrected before it ran/);
      screen.type("/reload");
      await screen.until(/Reloaded/);
      await screen.until(MARK);
      screen.type("/repair-settings showNotes true");
      await screen.until(/showNotes is true now/);
      await screen.close();
      screen = new Screen(release, place, script, ["--continue"]);
      await screen.until(MARK);
      await screen.until(/corrected before it ran/);
    } finally {
      await screen.close();
      place.remove();
    }
  });
}
