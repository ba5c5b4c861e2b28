// Adapter for pi's own validator: what the host makes of arguments when nothing stands before it.
// Usage: node pi_validator.mjs [FOLDER with node_modules/@earendil-works/pi-ai]
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { readFileSync } from "node:fs";
import { copied, same, serve, strict } from "./wire.mjs";

const home = resolve(process.argv[2] ?? ".", "node_modules/@earendil-works/pi-ai");
const load = (file) => import(pathToFileURL(resolve(home, file)).href);
const { validateToolArguments } = await load("dist/utils/validation.js");
const reader = await load("dist/utils/json-parse.js");
const { version } = JSON.parse(readFileSync(resolve(home, "package.json"), "utf8"));

/** The arguments that would run, as an outcome. */
function validated(tool, args, touched) {
	const known = { name: tool.name, description: "", parameters: tool.schema };
	const call = { type: "toolCall", id: "1", name: tool.name, arguments: copied(args) };
	let result;
	try {
		result = validateToolArguments(known, call);
	} catch (error) {
		return { outcome: "unrepairable", message: error.message };
	}
	const untouched = !touched && same(result, args);
	return untouched ? { outcome: "valid" } : { outcome: "repaired", args: result };
}

/** How this release reads the text of a finished call. */
function parsed(text) {
	if (!reader.parseToolCallArguments) return { arguments: reader.parseStreamingJson(text) };
	return reader.parseToolCallArguments(text);
}

serve(
	{
		engine: "@earendil-works/pi-ai validateToolArguments",
		version,
		features: ["schema"],
		// What pi's documentation of its validator names; all else it may refuse.
		undoes: ["number-text", "boolean-text", "null-optional", "raw-controls", "invalid-escapes"],
	},
	{
		repair: ({ tool, args }) => validated(tool, args, false),
		repair_text({ tool, text }) {
			const read = parsed(text);
			if (read.argumentsError) return { outcome: "unrepairable", message: read.argumentsError };
			const sent = strict(text);
			const plain = sent !== undefined && same(sent, read.arguments);
			return validated(tool, read.arguments, !plain);
		},
	},
);
