// Adapter for pi's own patterns over errors of providers: whether the context was too long, else whether to retry.
// Usage: node pi_errors.mjs [FOLDER with node_modules/@earendil-works/pi-ai]
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { readFileSync } from "node:fs";
import { serve } from "./wire.mjs";

const home = resolve(process.argv[2] ?? ".", "node_modules/@earendil-works/pi-ai");
const load = (file) => import(pathToFileURL(resolve(home, file)).href);
const { isContextOverflow } = await load("dist/utils/overflow.js");
const { isRetryableAssistantError } = await load("dist/utils/retry.js");
const { version } = JSON.parse(readFileSync(resolve(home, "package.json"), "utf8"));

serve(
	{ engine: "@earendil-works/pi-ai isContextOverflow, isRetryableAssistantError", version, features: [] },
	{
		advise({ text, provider }) {
			const failed = { role: "assistant", content: [], provider, stopReason: "error", errorMessage: text };
			if (isContextOverflow(failed)) return { consequence: "overflow" };
			return { consequence: isRetryableAssistantError(failed) ? "transient" : "fatal" };
		},
	},
);
