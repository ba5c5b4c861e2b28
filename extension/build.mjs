// Builds the package: the native module for this platform, then JavaScript and declarations.
// `--debug` builds the module unoptimised and what the tests run beside it, `--no-native` keeps the one there is.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

/** One command for everything unoptimised: each selection of packages would build the dependencies its own way. */
export const debugBuild = ["build", "--quiet", "--locked", "--workspace", "--lib", "--bins", "--examples"];

const run = (command, args, cwd = here) => execFileSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });

async function build(flags) {
  if (!existsSync(join(here, "node_modules", "typescript"))) run("npm", ["ci", "--no-audit", "--no-fund"]);
  rmSync(join(here, "dist"), { recursive: true, force: true });
  run(process.execPath, [join("node_modules", "typescript", "bin", "tsc")]);
  if (!flags.has("--no-native")) await buildNative(flags.has("--debug") ? "debug" : "release");
  copyFileSync(join(root, "LICENSE"), join(here, "LICENSE"));
  cpSync(join(root, "docs", "catalog.md"), join(here, "docs", "catalog.md"));
}

async function buildNative(profile) {
  const { platformName } = await import("./dist/native.js");
  run("cargo", profile === "debug" ? debugBuild : ["build", "-p", "extension", "--locked", "--release"], root);
  const made = { linux: "libextension.so", darwin: "libextension.dylib", win32: "extension.dll" }[process.platform];
  mkdirSync(join(here, "native"), { recursive: true });
  const folder = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const module = join(here, "native", `pi-repair.${platformName()}.node`);
  copyFileSync(join(folder, profile, made), module);
  // Line tables make the module many times as large; nobody reads them there.
  if (process.platform !== "win32") spawnSync("strip", ["-S", module], { stdio: "inherit" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(new Set(process.argv.slice(2)));
