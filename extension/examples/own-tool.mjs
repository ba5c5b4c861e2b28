// An extension with a tool of its own, whose calls are repaired where pi-repair is at hand.

const definition = {
  name: "inspect_asset",
  label: "Inspect asset",
  description: "Inspects an asset and optionally applies labels.",
  parameters: {
    type: "object",
    required: ["path"],
    properties: {
      path: { type: "string", description: "Path of the asset" },
      labels: { type: "array", items: { type: "string" }, description: "Labels to apply" },
    },
  },
  async execute(_toolCallId, params) {
    return { content: [{ type: "text", text: `inspected ${JSON.stringify(params)}` }], details: {} };
  },
};

const options = {
  preprocessors: [
    { kind: "alias", selector: "/path", aliases: ["file_path"], accepts: "string" },
    { kind: "string-or-array", selector: "/labels" },
  ],
};

/** The wrapper, or undefined where the package is not installed; a broken package is an error all the same. */
async function wrapper(load) {
  try {
    return (await load()).adaptToolDefinition;
  } catch (error) {
    const absent = ["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"].includes(error?.code) && /pi-repair/.test(error.message);
    if (!absent) throw error;
    process.stderr.write("own-tool: pi-repair is not installed, so inspect_asset runs unwrapped\n");
    return undefined;
  }
}

export default async function ownTool(pi, load = () => import("pi-repair/pi")) {
  const adapt = await wrapper(load);
  pi.registerTool(adapt ? adapt(definition, options) : definition);
}
