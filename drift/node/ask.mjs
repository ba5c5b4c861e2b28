// Questions that need no loop: schemas, conversions, classes of errors.

const MAKERS = {
  read: "createReadToolDefinition", bash: "createBashToolDefinition", edit: "createEditToolDefinition",
  write: "createWriteToolDefinition", grep: "createGrepToolDefinition", find: "createFindToolDefinition",
  ls: "createLsToolDefinition", powershell: "createPowerShellToolDefinition",
};

/** The definitions of the built-in tools this release has. */
export function builtins({ pi, cwd }) {
  const present = Object.entries(MAKERS).filter(([, maker]) => pi[maker] !== undefined);
  return Object.fromEntries(present.map(([name, maker]) => [name, pi[maker](cwd)]));
}

/** The schema without descriptions: what validation looks at. */
function bare(schema) {
  if (Array.isArray(schema)) return schema.map(bare);
  if (schema === null || typeof schema !== "object") return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "description" && !key.startsWith("~")).map(([key, member]) => [key, bare(member)]));
}

/** Answers as `{of, is}` pairs. */
export async function ask(run, action) {
  switch (action.about) {
    case "schemas":
      return Object.entries(builtins(run)).map(([name, tool]) => ({ of: name, is: bare(tool.parameters) }));
    case "definitions":
      return Object.entries(builtins(run)).map(([name, tool]) => ({
        of: name, is: { prepares: tool.prepareArguments !== undefined, sampling: tool.constrainedSampling ?? null },
      }));
    case "tools":
      return [{ of: "active", is: run.session.getActiveToolNames() }, { of: "all", is: run.session.getAllTools().map((tool) => tool.name).sort() }];
    case "validate":
      return validate(run, action);
    case "builtin":
      return action.values.map((value) => ({ of: `${action.tool} ${JSON.stringify(value)}`, is: through(run, action.tool, value) }));
    case "classify":
      return action.texts.map((text) => ({ of: text, is: classOf(run, text, action.provider) }));
    case "usage":
      return action.rows.map((row) => ({ of: JSON.stringify(row), is: overflows(run, row) }));
    case "patterns":
      return [{ of: "overflow", is: run.ai.getOverflowPatterns().map(String) }];
    case "exports":
      return action.names.map((name) => ({ of: name, is: name in run.pi ? "pi-coding-agent" : name in run.ai ? "pi-ai" : null }));
    default:
      throw new Error(`script: no question about ${action.about}`);
  }
}

function outcome(act) {
  try {
    return act();
  } catch (error) {
    return { error: String(error?.message ?? error).split("\n\nReceived arguments:")[0] };
  }
}

async function validate(run, action) {
  const parameters = action.typebox ? await typebox(action.parameters) : action.parameters;
  const tool = { name: "probe", description: "", parameters };
  return action.values.map((value) => ({
    of: JSON.stringify(value),
    is: outcome(() => run.ai.validateToolArguments(tool, { type: "toolCall", id: "1", name: "probe", arguments: structuredClone(value) })),
  }));
}

/** The same schema, made by TypeBox. */
async function typebox(schema) {
  const { Type } = await import("typebox");
  const make = (it) => {
    if (it.anyOf) return Type.Union(it.anyOf.map(make));
    if (it.enum) return Type.Union(it.enum.map((member) => Type.Literal(member)));
    switch (it.type) {
      case "object": {
        const required = it.required ?? [];
        const rows = Object.entries(it.properties ?? {}).map(([key, member]) => [key, required.includes(key) ? make(member) : Type.Optional(make(member))]);
        return Type.Object(Object.fromEntries(rows));
      }
      case "array":
        return Type.Array(make(it.items));
      case "string":
        return Type.String();
      case "number":
        return Type.Number();
      case "integer":
        return Type.Integer();
      case "boolean":
        return Type.Boolean();
      case "null":
        return Type.Null();
      default:
        throw new Error(`script: no TypeBox for ${JSON.stringify(it)}`);
    }
  };
  return make(schema);
}

/** What pi itself makes of arguments for a built-in tool: its shim, then validation. */
function through(run, name, value) {
  const tool = builtins(run)[name];
  if (!tool) return { error: "no such tool in this release" };
  return outcome(() => {
    const raw = structuredClone(value);
    const args = tool.prepareArguments ? tool.prepareArguments(raw) : raw;
    return run.ai.validateToolArguments({ name, description: "", parameters: tool.parameters }, { type: "toolCall", id: "1", name, arguments: args });
  });
}

function failed(text, provider) {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: {} };
  return { role: "assistant", content: [], api: "x", provider: provider ?? "x", model: "x", usage, stopReason: "error", errorMessage: text, timestamp: 0 };
}

function classOf(run, text, provider) {
  const message = failed(text, provider);
  if (run.ai.isContextOverflow(message, 1_000_000)) return "overflow";
  return run.ai.isRetryableAssistantError(message) ? "retryable" : "other";
}

function overflows(run, row) {
  const message = failed(row.error, undefined);
  message.stopReason = row.stop;
  Object.assign(message.usage, { input: row.input ?? 0, output: row.output ?? 0, cacheRead: row.cacheRead ?? 0, cacheWrite: row.cacheWrite ?? 0 });
  return run.ai.isContextOverflow(message, row.window);
}
