// Runs the tests: `npm test` for all, `npm test -- quick` for those that need no pi.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const needsPi = /^real-/;
const files = readdirSync(here).filter((name) => name.endsWith(".test.mjs"));
const chosen = files.filter((name) => (words.includes("quick") ? !needsPi.test(name) : true));
const args = ["--test", "--test-reporter", "spec", "--test-concurrency", "1", ...chosen.map((name) => join(here, name))];
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
