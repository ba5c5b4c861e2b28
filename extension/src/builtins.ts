// pi's own tools, as pi itself would make them, with one member added: arguments are repaired on their way.

import type { Context, ExtensionAPI, HostModule, Schema, ToolDefinition, ToolInfo } from "./host.js";
import { hookThenRepair } from "./prepare.js";
import type { Runtime, ToolEntry } from "./runtime.js";

const FACTORIES: Record<string, string> = {
  read: "createReadToolDefinition",
  bash: "createBashToolDefinition",
  powershell: "createPowerShellToolDefinition",
  edit: "createEditToolDefinition",
  write: "createWriteToolDefinition",
  grep: "createGrepToolDefinition",
  find: "createFindToolDefinition",
  ls: "createLsToolDefinition",
};

/** What pi passes to the factories, from the same settings. */
function optionsOf(pi: ExtensionAPI, host: HostModule, ctx: Context): Record<string, object> {
  const effective = pi.getSettings?.();
  if (effective) {
    // Path forms such as `~` are expanded by the settings manager alone.
    const manager = managerOf(host, ctx);
    return {
      read: { autoResizeImages: effective.images?.autoResize ?? manager?.getImageAutoResize() ?? true },
      bash: { commandPrefix: effective.shellCommandPrefix, shellPath: manager?.getShellPath() ?? effective.shellPath },
    };
  }
  const manager = managerOf(host, ctx);
  return {
    read: { autoResizeImages: manager?.getImageAutoResize() ?? true },
    bash: { commandPrefix: manager?.getShellCommandPrefix(), shellPath: manager?.getShellPath() },
  };
}

function managerOf(host: HostModule, ctx: Context) {
  try {
    const projectTrusted = ctx.isProjectTrusted?.() ?? true;
    return host.SettingsManager?.create(ctx.cwd, host.getAgentDir(), { projectTrusted });
  } catch {
    return undefined;
  }
}

/** pi's definitions of those of its own tools that nobody else has replaced. */
export function ownDefinitions(pi: ExtensionAPI, host: HostModule, ctx: Context): ToolDefinition[] {
  const options = optionsOf(pi, host, ctx);
  return pi.getAllTools().flatMap((tool) => {
    const factory = host[FACTORIES[tool.name] ?? ""];
    if (tool.sourceInfo?.source !== "builtin" || typeof factory !== "function") return [];
    const made: ToolDefinition = factory(ctx.cwd, options[tool.name]);
    return made && isSame(tool, made) ? [made] : [];
  });
}

/**
 * Whether pi's factory makes what is registered. An application that embeds pi may have put tools of its
 * own in their place, which work elsewhere; those are never replaced.
 */
function isSame(tool: ToolInfo, made: ToolDefinition): boolean {
  const said = (value: unknown) => JSON.stringify(value ?? null);
  const guidelines = !("promptGuidelines" in tool) || said(tool.promptGuidelines) === said(made.promptGuidelines);
  const same = tool.name === made.name && tool.description === made.description;
  return same && guidelines && said(tool.parameters) === said(made.parameters);
}

/** The definition with repair before the host's validation; everything else is the definition's own. */
export function withRepair(definition: ToolDefinition, runtime: () => Runtime | undefined): ToolDefinition {
  const own = definition.prepareArguments;
  return {
    ...definition,
    prepareArguments(args: unknown): unknown {
      const now = runtime();
      if (now === undefined || !now.settings.repair) return own ? own.call(definition, args) : args;
      const hook = own && ((given: unknown) => own.call(definition, given));
      return hookThenRepair(hook, args, (given) => now.prepare(definition.name, given));
    },
  };
}

/** What is compiled for the tools of the host. One that cannot be read is left out, and told of with `leave`. */
export function entriesOf(tools: ToolInfo[], own: Map<string, ToolDefinition>, configOf: (tool: ToolInfo) => unknown, leave: (line: string) => void): ToolEntry[] {
  return tools.flatMap((tool): ToolEntry[] => {
    try {
      if (typeof tool.name !== "string" || typeof tool.parameters !== "object" || tool.parameters === null) throw new Error("it has no name or no schema");
      const config = configOf(tool);
      return [{ ...entryOf(tool.name, tool.parameters, own.get(tool.name)), ...(config === undefined ? {} : { config }) }];
    } catch (error) {
      leave(`tool ${nameOf(tool)} is left alone: ${error instanceof Error ? error.message : error}`);
      return [];
    }
  });
}

function nameOf(tool: ToolInfo): string {
  try {
    return String(tool.name).toWellFormed();
  } catch {
    return "without a name";
  }
}

const isTypeBox = (schema: Schema): boolean =>
  Object.getOwnPropertyNames(schema).includes("~kind") || Object.getOwnPropertySymbols(schema).length > 0;

/** What is compiled for a tool of the host. */
export function entryOf(name: string, schema: Schema, definition?: ToolDefinition): ToolEntry {
  const sampling = definition?.constrainedSampling as { type?: string; strict?: unknown } | undefined;
  const nullable = sampling?.type === "json_schema" && sampling.strict !== false && sampling.strict !== undefined;
  return { name, schema, origin: isTypeBox(schema) ? "typebox" : "json", nullable };
}
