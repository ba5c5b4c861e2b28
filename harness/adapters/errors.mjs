// Adapter for a module that tells errors of providers apart: `classify({ text, provider, status })`
// answers with a `consequence`, and may give a `note`; `session(steps)`, if there is one, with an entry a step.
// Usage: node errors.mjs MODULE
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { serve } from "./wire.mjs";

const [file] = process.argv.slice(2);
const module = await import(pathToFileURL(resolve(file)).href);

serve(
	{ engine: module.name ?? file, version: module.version ?? "", features: module.features ?? [] },
	{
		advise({ text, provider, status, steps }) {
			return steps ? { steps: module.session(steps) } : module.classify({ text, provider, status });
		},
	},
);
