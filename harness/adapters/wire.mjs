// The protocol's side of every JavaScript adapter: lines in, lines out, one answer to each question.
import { stdin, stdout } from "node:process";

/** An input that the engine does not claim to know; the harness passes the case over. */
export class Unsupported extends Error {
	name = "Unsupported";
}

/** Answers questions until the input ends. `operations` maps a name to a function of the question. */
export function serve(hello, operations) {
	const greeting = { protocol: 1, ...hello, operations: Object.keys(operations), numbers: "doubles" };
	// What a library prints to its console is no answer.
	console.log = console.info = console.debug = console.error;
	// A line ends with a line feed alone; `node:readline` would also end it at U+2028.
	let rest = "";
	stdin.setEncoding("utf8").on("data", (piece) => {
		const lines = (rest + piece).split("\n");
		rest = lines.pop();
		for (const line of lines) stdout.write(`${answer(line)}\n`);
	});

	function answer(line) {
		let id = null;
		let said;
		try {
			const question = JSON.parse(line);
			id = question.id;
			said = question.op === "hello" ? greeting : answered(operations, question);
		} catch (error) {
			const code = error?.name === "Unsupported" ? "unsupported" : "internal";
			said = { error: { code, message: String(error?.message ?? error).slice(0, 500) } };
		}
		return written(id, said);
	}
}

/** Levels that a line may have. */
const DEPTH_MAX = 300;

/** The answer as a line; one that is too deep to be written is none that was claimed. */
function written(id, said) {
	let line;
	try {
		line = JSON.stringify({ id, ...said });
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
	}
	if (line !== undefined && depth(line) <= DEPTH_MAX) return line;
	return JSON.stringify({ id, error: { code: "unsupported", message: "the answer nests too deep" } });
}

/** How deep the brackets outside of strings nest. */
function depth(line) {
	let [most, now] = [0, 0];
	for (const [token] of line.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
		if (token === "{" || token === "[") now += 1;
		if (token === "}" || token === "]") now -= 1;
		most = Math.max(most, now);
	}
	return most;
}

/** A copy of a value; one that is too deep to be copied is not asked about. */
export function copied(value) {
	try {
		return structuredClone(value);
	} catch (error) {
		throw error instanceof RangeError ? new Unsupported("the value nests too deep") : error;
	}
}

function answered(operations, question) {
	const operation = operations[question.op];
	if (!operation) throw new Unsupported(`there is no operation ${question.op}`);
	return operation(question);
}

/** The value of a strict JSON text, or `undefined`. */
export function strict(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Whether two JSON values are the same, key order included. */
export function same(left, right) {
	try {
		return JSON.stringify(left) === JSON.stringify(right);
	} catch (error) {
		throw error instanceof RangeError ? new Unsupported("the value nests too deep") : error;
	}
}
