// Adapter for the npm package `jsonrepair`: it mends JSON text and knows no schema.
// Usage: node npm_jsonrepair.mjs [FOLDER with node_modules]
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { serve, strict } from "./wire.mjs";

const home = resolve(process.argv[2] ?? ".");
const { jsonrepair } = createRequire(resolve(home, "package.json"))("jsonrepair");
const about = readFileSync(resolve(home, "node_modules/jsonrepair/package.json"), "utf8");

serve(
	{
		engine: "jsonrepair",
		version: JSON.parse(about).version,
		features: [],
		// What its description names; all else it may refuse.
		undoes: [
			"comment",
			"markdown-fence",
			"missing-closers",
			"odd-space",
			"over-escaped",
			"single-quotes",
			"trailing-comma",
			"typographic-quotes",
			"unquoted-keys",
		],
	},
	{
		repair_text({ text }) {
			if (strict(text) !== undefined) return { outcome: "valid" };
			let mended;
			try {
				mended = jsonrepair(text);
			} catch (error) {
				return { outcome: "unrepairable", message: error.message };
			}
			return { outcome: "repaired", args: JSON.parse(mended) };
		},
	},
);
