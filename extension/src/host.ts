// What the extension uses of pi, as it is on every release from 0.80.6 on; what is newer is optional.

/** A JSON Schema, whatever built it. */
export type Schema = object;

export interface ContentBlock {
  type: string;
  text?: string;
  [member: string]: unknown;
}

export interface ToolCallBlock extends ContentBlock {
  type: "toolCall";
  id: string;
  name: string;
  arguments: unknown;
  /** From 1.3.0: why the host could not read the arguments, and their raw text. */
  argumentsError?: string;
}

export interface Message {
  role: string;
  content?: string | ContentBlock[];
  stopReason?: string;
  errorMessage?: string;
  provider?: string;
  model?: string;
  timestamp?: number;
  usage?: { input?: number; output?: number; cacheRead?: number };
  toolCallId?: string;
  isError?: boolean;
  [member: string]: unknown;
}

export interface ToolResult {
  content: ContentBlock[];
  details?: unknown;
  [member: string]: unknown;
}

export interface Component {
  render(width: number): string[];
  invalidate?(): void;
  [member: string]: unknown;
}

export interface Theme {
  fg(color: string, text: string): string;
}

export type RenderResult = (
  result: ToolResult,
  options: unknown,
  theme: Theme,
  context: RenderContext,
) => Component;

export interface RenderContext {
  toolCallId?: string;
  lastComponent?: Component;
  [member: string]: unknown;
}

/** A tool definition; everything that is not named here is carried over as it is. */
export interface ToolDefinition {
  name: string;
  parameters: Schema;
  prepareArguments?: (args: unknown) => unknown;
  // biome-ignore lint: the host's own signature differs from release to release
  execute: (...args: any[]) => Promise<any>;
  renderResult?: RenderResult;
  constrainedSampling?: unknown;
  [member: string]: unknown;
}

export interface ToolInfo {
  name: string;
  description?: string;
  promptGuidelines?: unknown;
  parameters: Schema;
  sourceInfo?: { source?: string };
}

export interface Context {
  cwd: string;
  hasUI?: boolean;
  mode?: string;
  model?: { id: string; provider: string; contextWindow?: number };
  ui: {
    notify(message: string, level?: "info" | "warning" | "error"): void;
    select(title: string, options: string[]): Promise<string | undefined>;
    input?(title: string, placeholder?: string): Promise<string | undefined>;
  };
  sessionManager: { getEntries(): { type: string; customType?: string; data?: unknown }[] };
  isProjectTrusted?(): boolean;
}

// biome-ignore lint: events are read member by member, each of them checked
export type HostEvent = any;

export interface Renderers {
  renderCall?: unknown;
  renderResult?: RenderResult;
  renderShell?: unknown;
}

export interface ExtensionAPI {
  on(event: string, handler: (event: HostEvent, ctx: Context) => unknown): void;
  registerTool(tool: ToolDefinition): void;
  registerCommand(
    name: string,
    options: { description: string; handler: (args: string, ctx: Context) => unknown },
  ): void;
  /** From 1.x on. */
  registerToolRenderer?(
    resolver: (tool: string, next: () => Renderers | undefined) => Renderers | undefined,
  ): void;
  appendEntry(customType: string, data?: unknown): void;
  getActiveTools(): string[];
  getAllTools(): ToolInfo[];
  /** From 1.x on. */
  getSettings?(): { shellCommandPrefix?: string; shellPath?: string; images?: { autoResize?: boolean } };
}

/** What the extension takes from `@earendil-works/pi-coding-agent`, where it is there. */
export interface HostModule {
  VERSION?: string;
  getAgentDir(): string;
  SettingsManager?: {
    create(cwd: string, agentDir?: string, options?: { projectTrusted?: boolean }): {
      getImageAutoResize(): boolean;
      getShellCommandPrefix(): string | undefined;
      getShellPath(): string | undefined;
    };
  };
  [factory: string]: unknown;
}
