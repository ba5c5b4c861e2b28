// The native module: the one built for this platform, and what it offers.

import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** One session of the engine; texts in, texts out. */
export interface NativeSession {
  setTools(tools: string): string;
  setActive(names: string): void;
  setModel(provider: string, model: string, now: number): void;
  configure(file: string | null, above?: string | null): string;
  matchByArguments(): void;
  repair(tool: string, args: string, context?: string | null): string | null;
  repairCall(name: string, args: string, context?: string | null): string | null;
  resolveName(name: string): string;
  passes(tool: string, outline: string, now: number): boolean;
  prepare(tool: string, args: string, now: number): string | null;
  settle(taken: boolean, now: number): void;
  message(message: string, now: number): string | null;
  scan(message: string): string;
  started(id: string, tool: string, now: number): void;
  called(id: string, tool: string, args: string | null, nested: boolean): void;
  finished(id: string, nested: boolean, now: number): string | null;
  ended(id: string, now: number): void;
  runEnded(now: number): void;
  shutdown(now: number): void;
  hear(event: string, now: number): string | null;
  advise(messages: string, now: number): string | null;
  takeRecords(now: number): string;
}

export interface Native {
  Session: new (version?: string | null) => NativeSession;
  saveSettings(file: string | null, changes: string): string;
  settingKeys(): string;
  stats(log: Uint8Array, width: number, by?: string[] | null, json?: boolean): string;
  rotate(log: Uint8Array, bytesMax?: number, bytesKept?: number): number | null;
  indicator(rules: string[], columns: number): string;
  classifyError(error: string, facts?: string | null): string;
  panicOnPurpose(): void;
}

/** The engine does not run on this machine; the message is one sentence for the user. */
export class NativeUnavailableError extends Error {
  override name = "NativeUnavailableError";
}

/** The name of the platform, as the file of its module has it. */
export function platformName(): string {
  return `${process.platform}-${process.arch}${process.platform === "linux" && isMusl() ? "-musl" : ""}`;
}

/** Whether programs are linked with musl: its loader is there, and that of glibc is not. */
function isMusl(): boolean {
  const names = ["/lib", "/lib64"].flatMap((folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  });
  return names.some((name) => name.startsWith("ld-musl-")) && !names.some((name) => name.startsWith("ld-linux-"));
}

let loaded: Native | undefined;

/** Loads the module once; throws {@link NativeUnavailableError} where there is none. */
export function loadNative(folder: string = join(dirname(fileURLToPath(import.meta.url)), "..", "native")): Native {
  if (loaded) return loaded;
  const platform = platformName();
  const file = join(folder, `pi-repair.${platform}.node`);
  if (!existsSync(file)) {
    throw new NativeUnavailableError(
      `pi-repair has no native module for ${platform}, so tool calls are not repaired in this session; pi works as without it.`,
    );
  }
  try {
    loaded = createRequire(import.meta.url)(file) as Native;
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new NativeUnavailableError(
      `pi-repair cannot load its native module for ${platform} (${why}), so tool calls are not repaired in this session; pi works as without it.`,
    );
  }
  return loaded;
}
