// Builds the package: the native module for this platform, then JavaScript and declarations.
// `--debug` builds the module unoptimised, `--no-native` keeps the one that is there.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const flags = new Set(process.argv.slice(2));
const run = (command, args, cwd = here) => execFileSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });

if (!existsSync(join(here, "node_modules", "typescript"))) run("npm", ["ci", "--no-audit", "--no-fund"]);
rmSync(join(here, "dist"), { recursive: true, force: true });
run(process.execPath, [join("node_modules", "typescript", "bin", "tsc")]);

const { platformName } = await import("./dist/native.js");
if (!flags.has("--no-native")) {
  const target = flags.has("--debug") ? "debug" : "release";
  run("cargo", ["build", "-p", "extension", "--locked", ...(target === "release" ? ["--release"] : [])], root);
  const made = { linux: "libextension.so", darwin: "libextension.dylib", win32: "extension.dll" }[process.platform];
  mkdirSync(join(here, "native"), { recursive: true });
  const folder = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const module = join(here, "native", `pi-repair.${platformName()}.node`);
  copyFileSync(join(folder, target, made), module);
  // Line tables make the module five times as large; nobody reads them there.
  if (target === "release" && process.platform !== "win32") spawnSync("strip", ["-S", module], { stdio: "inherit" });
}
copyFileSync(join(root, "LICENSE"), join(here, "LICENSE"));
cpSync(join(root, "docs", "catalog.md"), join(here, "docs", "catalog.md"));
