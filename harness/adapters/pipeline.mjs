// Adapter for a module whose `runRepairPipeline({ input, config })` answers with an outcome and arguments.
// Usage: node pipeline.mjs MODULE [DAMAGE it undoes, as in docs/conform.md, separated by commas]
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { copied, same, serve, strict } from "./wire.mjs";

const [file, undoes] = process.argv.slice(2);
const module = await import(pathToFileURL(resolve(file)).href);
const OUTCOMES = ["valid", "deferred", "repaired", "unrepairable"];

/** Runs the module; `plain` is what was sent, as a value, where it is one. */
function run({ tool, context = {} }, input, plain) {
	const result = module.runRepairPipeline({
		input: copied(input),
		config: {
			toolName: tool.name,
			schema: tool.schema,
			policy: context.policy,
			modelId: context.model,
			preprocessors: tool.config?.preprocessors,
		},
	});
	if (!OUTCOMES.includes(result.outcome)) throw new Error(`an outcome ${result.outcome}`);
	if (result.outcome === "unrepairable") {
		return { outcome: "unrepairable", message: result.retryMessage };
	}
	// To such a module a text is a root string, and reading it a repair; to the protocol it is not.
	if (plain !== undefined && same(result.args, plain)) return { outcome: "valid" };
	const changes = result.changes?.map(({ ruleId, note }) => ({ rule: ruleId, note }));
	return { outcome: result.outcome === "valid" ? "valid" : "repaired", args: result.args, changes };
}

function text(question) {
	const plain = strict(question.text);
	// A text that is a JSON string is the root string itself, as the same value would be.
	return run(question, typeof plain === "string" ? plain : question.text, plain);
}

serve(
	{
		engine: module.name ?? file,
		version: module.version ?? "",
		features: ["schema", ...(module.features ?? [])],
		undoes: undoes?.split(",") ?? module.undoes,
	},
	{
		repair: (question) => run(question, question.args, question.args),
		repair_text: text,
	},
);
