// Adapter for a module whose `extract(text, tools)` answers with the text that is left and the calls that run.
// Usage: node extractor.mjs MODULE [FAMILIES it knows, as in docs/catalog.md, separated by commas]
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { serve } from "./wire.mjs";

const [file, families] = process.argv.slice(2);
const module = await import(pathToFileURL(resolve(file)).href);

/** Each text of a message by itself; the calls of all run, in order. */
function treat({ texts, tools }) {
	const found = texts.map((text) => module.extract(text, tools));
	return {
		texts: found.map(({ text }, at) => (text === texts[at] ? null : text)),
		calls: found.flatMap(({ calls }) => calls),
	};
}

serve(
	{
		engine: module.name ?? file,
		version: module.version ?? "",
		families: families?.split(",") ?? module.families,
	},
	{ treat },
);
