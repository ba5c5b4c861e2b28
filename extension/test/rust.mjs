// What the tests take from the workspace beside the native module: two programs, built once.

import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { debugBuild } from "../build.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Whether there is Rust on this machine. */
export const hasRust = spawnSync("cargo", ["--version"]).status === 0;

let built = false;

/** The file of an example of the workspace. */
export function example(name) {
  if (!built) {
    const done = spawnSync("cargo", debugBuild, { cwd: root, encoding: "utf8" });
    if (done.status !== 0) throw new Error(done.stderr);
    built = true;
  }
  return join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug", "examples", name);
}
