// Plays scripts of the corpus in the real pi with the packed package installed, and compares what executed, what
// the model saw and the transcript with the simulator. `node test/play.mjs [NAME…] [--json]` prints a table.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promptOf } from "../../drift/node/session.mjs";
import { home, install, installed, packed, pi, releases } from "./pi.mjs";
import { example, hasRust } from "./rust.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const stage = join(here, "play");

/** The simulator's side: lists scripts, or compares traces. */
function simulator(args, input = "") {
  const text = execFileSync(example("played"), args, { input, encoding: "utf8", maxBuffer: 1 << 30 });
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** A home with the package installed and the owner's extension after it. */
export async function prepared(release) {
  const place = home();
  await install(release, place);
  const done = await pi(release, place, ["install", join(stage, "owner")]);
  if (done.code !== 0) throw new Error(`pi install failed: ${done.out}${done.err}`);
  const repair = join(place.agent, "tool-repair");
  mkdirSync(repair, { recursive: true });
  // The simulator's engine reads calls in text, whoever asks.
  writeFileSync(join(repair, "settings.json"), '{"grammarRecovery": "recover"}');
  place.settings = JSON.parse(readFileSync(join(place.agent, "settings.json"), "utf8"));
  return place;
}

function settingsOf({ retry = {}, compaction = {} } = {}) {
  return {
    compaction: { enabled: compaction.enabled ?? false, reserveTokens: compaction.reserve_tokens ?? 1000, keepRecentTokens: compaction.keep_recent_tokens ?? 1 },
    retry: { enabled: retry.enabled ?? true, maxRetries: retry.max ?? 2, baseDelayMs: retry.base_delay_ms ?? 5 },
  };
}

/** Runs one script to its end; its trace, or why there is none. */
export async function play(release, place, { script, provider }) {
  rmSync(place.work, { recursive: true });
  mkdirSync(place.work);
  for (const [name, content] of Object.entries(script.files ?? {})) {
    mkdirSync(dirname(join(place.work, name)), { recursive: true });
    writeFileSync(join(place.work, name), content);
  }
  const file = join(place.root, "script.json");
  const out = join(place.root, "trace.json");
  writeFileSync(file, JSON.stringify({ script, provider }));
  rmSync(out, { force: true });
  const [{ id }] = script.models;
  const defaults = { defaultProvider: provider, defaultModel: id, defaultThinkingLevel: "off" };
  writeFileSync(join(place.agent, "settings.json"), JSON.stringify({ ...place.settings, ...defaults, ...settingsOf(script.settings) }));
  const prompts = script.actions.flatMap((action, at) => [`/play ${at}`, ...(action.do === "prompt" ? [promptOf(action)] : [])]);
  const tools = script.active === undefined || script.active === null ? [] : script.active.length === 0 ? ["--no-tools"] : ["--tools", script.active.join(",")];
  const { node } = installed(release);
  const env = {
    PI_PLAY_SCRIPT: file, PI_PLAY_TRACE: out, PI_PLAY_MODULES: join(dirname(node), "..", ".."),
    PI_PLAY_PACKAGE: pathToFileURL(join(packed().folder, "dist", "pi.js")).href,
  };
  const options = ["-e", join(stage, "stage.mjs"), "--system-prompt", "You are under test.", "--no-session", "--no-skills", "--no-context-files", ...tools];
  const done = await pi(release, place, [...options, "-p", ...prompts, "/play end"], env);
  try {
    return { trace: { ...JSON.parse(readFileSync(out, "utf8")), pi: release } };
  } catch {
    return { error: `${done.signal ?? done.code}: ${`${done.err}${done.out}`.trim().slice(-400)}` };
  }
}

/** Plays the scripts in one release; a row for each: `{script, pi, same, why}`. */
export async function playAll(release, names = []) {
  const listed = simulator(["list", release]);
  const meant = (name) => names.length === 0 || names.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name));
  const chosen = listed.filter((row) => meant(row.name));
  const waiting = chosen.filter((row) => row.script);
  const played = [];
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, async () => {
    const place = await prepared(release);
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      played.push({ name: row.name, pi: release, ...(await play(release, place, row)) });
    }
    place.remove();
  }));
  if (process.env.PLAY_KEEP) writeFileSync(`${process.env.PLAY_KEEP}.${release}`, played.map((row) => JSON.stringify(row)).join("\n"));
  const rows = simulator(["compare"], played.map((row) => JSON.stringify(row)).join("\n"));
  return { rows: rows.sort((a, b) => (a.name < b.name ? -1 : 1)), skipped: chosen.filter((row) => !row.script) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2).filter((word) => !word.startsWith("-"));
  if (!hasRust) throw new Error("the simulator needs Rust");
  const table = ["| pi | scripts played | the same | calls executed | notes seen | not played |", "|---|---|---|---|---|---|"];
  for (const release of releases) {
    const { rows, skipped } = await playAll(release, names);
    const same = rows.filter((row) => row.same);
    const sum = (member) => rows.reduce((all, row) => all + (row[member] ?? 0), 0);
    for (const row of rows.filter((one) => !one.same)) process.stdout.write(`${row.name} on pi ${release}: ${row.why}\n\n`);
    if (process.argv.includes("--skipped")) for (const row of skipped) process.stdout.write(`${row.name} on pi ${release} is not played: ${row.why}\n`);
    table.push(`| ${release} | ${rows.length} | ${same.length} | ${sum("executed")} | ${sum("notes")} | ${skipped.length} |`);
    if (same.length < rows.length) process.exitCode = 1;
  }
  process.stdout.write(`${table.join("\n")}\n`);
}
