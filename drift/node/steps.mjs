// What a handler, a hook of a tool or a tool does with the event it is given: a list of steps.

const clone = (value) => (value === undefined ? undefined : structuredClone(value));

/** The segments of a JSON Pointer. */
function segments(pointer) {
  if (pointer === "") return [];
  return pointer.slice(1).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value a pointer leads to, or undefined. */
export function read(root, pointer) {
  return segments(pointer).reduce((at, key) => (at === null || at === undefined ? undefined : at[key]), root);
}

/** Changes `root` in place; a last segment of `-` appends to an array. */
function write(root, pointer, change) {
  const path = segments(pointer);
  const key = path.pop();
  const parent = path.reduce((at, step) => at[step], root);
  if (parent === undefined || parent === null) throw new Error(`script: nothing at ${pointer}`);
  change(parent, Array.isArray(parent) && key === "-" ? parent.length : key);
}

/** Fills `{"$event": pointer, "$patch": steps}` in from the event; the rest is copied as it stands. */
function fill(template, event) {
  if (Array.isArray(template)) return template.map((item) => fill(item, event));
  if (template === null || typeof template !== "object") return template;
  if (typeof template.$event === "string") {
    const copy = clone(read(event, template.$event));
    for (const step of template.$patch ?? []) edit(step, copy, event);
    return copy;
  }
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, event)]));
}

/** One step that changes a value in place; false if the step is of another kind. */
function edit(step, root, event) {
  switch (step.step) {
    case "set":
      write(root, step.at, (parent, key) => (parent[key] = fill(step.value, event)));
      return true;
    case "remove":
      write(root, step.at, (parent, key) => (Array.isArray(parent) ? parent.splice(key, 1) : delete parent[key]));
      return true;
    case "append":
      write(root, step.at, (parent, key) => (parent[key] = `${parent[key]}${step.value}`));
      return true;
    default:
      return false;
  }
}

/** Steps that need no waiting, for hooks that must be synchronous. */
export function runNow(steps, event) {
  let returned;
  for (const step of steps) {
    if (edit(step, event, event)) continue;
    if (step.step === "throw") throw new Error(step.message);
    if (step.step === "return") returned = { value: fill(step.value, event) };
    else throw new Error(`script: ${step.step} cannot stand in a synchronous hook`);
  }
  return returned;
}

/** Steps in order; what `return` gave, wrapped, or undefined. `host` offers wait, record, nested and act. */
export async function run(steps, event, host) {
  let returned;
  for (const step of steps) {
    if (edit(step, event, event)) continue;
    switch (step.step) {
      case "throw":
        throw new Error(step.message);
      case "return":
        returned = { value: fill(step.value, event) };
        break;
      case "wait":
        await new Promise((done) => setTimeout(done, step.ms));
        break;
      case "record":
        host.record(step.as, event);
        break;
      case "nested":
        await host.nested(step, event);
        break;
      case "act":
        host.act(step.what);
        break;
      default:
        throw new Error(`script: unknown step ${step.step}`);
    }
  }
  return returned;
}

/** Whether every pointer of `condition` leads to the value beside it. */
export function holds(condition, event) {
  return Object.entries(condition ?? {}).every(
    ([pointer, wanted]) => JSON.stringify(read(event, pointer)) === JSON.stringify(wanted),
  );
}
