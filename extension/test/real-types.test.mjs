// An owner's extension compiles against the declarations of the package beside those of pi itself.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { it } from "node:test";
import { extension, installed, packed, releases } from "./pi.mjs";

const CONSUMER = `
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { adaptToolDefinition, UnrepairableToolInputError, type AdaptOptions } from "pi-repair/pi";
import { runRepairPipeline, formatRepairNotes, repairToolInput, type RepairPipelineConfig } from "pi-repair/core";
import { parseToolGrammarLeaks, type Leak } from "pi-repair/grammar";
import { Advisor, classifyError } from "pi-repair/advisor";

const parameters = Type.Object({ path: Type.String(), labels: Type.Optional(Type.Array(Type.String())) });
const options: AdaptOptions = {
  preprocessors: [
    { kind: "alias", selector: "/path", aliases: ["file_path"], accepts: "string" },
    { kind: "structural", selector: "/labels", ruleId: "mine.x", apply: (value) => ({ value, note: "n" }) },
  ],
};
export default function own(pi: ExtensionAPI) {
  pi.registerTool(adaptToolDefinition({
    name: "inspect_asset", label: "Inspect", description: "d", parameters,
    async execute(_id: string, params: { path: string; labels?: string[] }) {
      return { content: [{ type: "text" as const, text: params.path }], details: undefined };
    },
  }, options));
}
const config: RepairPipelineConfig = { toolName: "x", schema: parameters };
const result = runRepairPipeline({ input: {}, config });
formatRepairNotes(result.changes.map((change) => change.note));
const leaks: Leak[] = parseToolGrammarLeaks("", { tools: [{ name: "x", schema: parameters }] });
const kind: string = classifyError("x").class;
// @ts-expect-error a policy has three names
repairToolInput("x", parameters, {}, { policy: "bold" });
export { Advisor, kind, leaks, UnrepairableToolInputError };
`;

for (const release of new Set([releases.at(0), releases.at(-1)])) {
  it(`compiles beside pi ${release}`, { timeout: 240_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "pi-repair-types-"));
    const modules = join(folder, "node_modules");
    const theirs = join(dirname(installed(release).node), "..", "..");
    mkdirSync(modules);
    symlinkSync(packed().folder, join(modules, "pi-repair"));
    for (const name of ["@earendil-works", "typebox"]) symlinkSync(join(theirs, name), join(modules, name));
    writeFileSync(join(folder, "consumer.ts"), CONSUMER);
    const options = {
      target: "es2023", module: "nodenext", moduleResolution: "nodenext", strict: true, noEmit: true, skipLibCheck: true,
      lib: ["es2024", "dom"], types: ["node"], typeRoots: [join(extension, "node_modules", "@types")], preserveSymlinks: true,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["consumer.ts"] }));
    const tsc = join(extension, "node_modules", "typescript", "bin", "tsc");
    const done = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    rmSync(folder, { recursive: true });
    assert.equal(done.stdout, "");
  });
}
