// An extension for pi with a tool of its own, wrapped where pi-repair is at hand. See ../examples/own-tool.mjs.

import { adaptToolDefinition } from "../dist/pi.js";

export default function owner(pi) {
  pi.registerTool(adaptToolDefinition({
    name: "inspect_asset", label: "Inspect", description: "Inspects an asset.",
    parameters: { type: "object", required: ["path"], properties: { path: { type: "string" }, labels: { type: "array", items: { type: "string" } } } },
    execute: async (_id, params) => ({ content: [{ type: "text", text: `inspected ${JSON.stringify(params)}` }], details: {} }),
  }, {
    preprocessors: [
      { kind: "alias", selector: "/path", aliases: ["file_path"], accepts: "string" },
      { kind: "string-or-array", selector: "/labels" },
    ],
  }));
}
