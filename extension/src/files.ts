// Files of the extension: settings replaced in one step, records appended line by line. Nothing here throws
// to a call: a full disk or a folder that cannot be written costs the record, never the call.

import {
  closeSync, existsSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, readSync, realpathSync, renameSync, rmSync, type Stats, statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** What a file holds; null if there is none. Where it cannot be read, `wrong` says why in a few words. */
export interface Bytes {
  bytes: Uint8Array | null;
  wrong?: string;
}

/** Reads a file of at most `most` bytes. A pipe or a device is never opened: reading one may take for ever. */
export function readBytes(file: string, most: number): Bytes {
  try {
    const stat = statSync(file);
    const wrong = kindOf(stat) ?? (stat.size > most ? `it is larger than ${most >> 20} MiB` : undefined);
    return wrong === undefined ? { bytes: readFileSync(file) } : { bytes: null, wrong };
  } catch (error) {
    return isAbsent(error) ? { bytes: null } : { bytes: null, wrong: reasonOf(error) };
  }
}

/** As {@link readBytes}, of text; bytes that are no UTF-8 are wrong, since they could not be written back. */
export function readText(file: string, most: number): { text: string | null; wrong?: string } {
  const { bytes, wrong } = readBytes(file, most);
  if (bytes === null) return { text: null, ...(wrong === undefined ? {} : { wrong }) };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { text: null, wrong: "it is no UTF-8 text" };
  }
}

/** Why records cannot be appended to what stands there; undefined if they may be, or nothing stands there. */
export function isLog(file: string): string | undefined {
  try {
    const stat = statSync(file);
    // A terminal or the null device may be written to; a pipe would stop the host once it is full.
    return stat.isCharacterDevice() ? undefined : kindOf(stat);
  } catch (error) {
    return isAbsent(error) ? undefined : reasonOf(error);
  }
}

function kindOf(stat: Stats): string | undefined {
  if (stat.isFile()) return undefined;
  return stat.isDirectory() ? "it is a folder" : "it is no file";
}

const isAbsent = (error: unknown): boolean => (error as { code?: string }).code === "ENOENT";

function reasonOf(error: unknown): string {
  const code = (error as { code?: string }).code ?? "";
  const known: Record<string, string> = {
    EACCES: "permission is missing", EPERM: "permission is missing", ELOOP: "its links lead in a circle",
    ENOTDIR: "a part of its path is no folder", ENAMETOOLONG: "its name is too long",
  };
  return known[code] ?? (error instanceof Error ? error.message : String(error));
}

/** Puts `content` in place of the file in one step: who reads sees the old one or the new one. */
export function replaceFile(named: string, content: string | Uint8Array): void {
  // A link stays a link: what it leads to is replaced.
  const file = existsSync(named) ? realpathSync(named) : named;
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.${process.pid}.part`;
  try {
    const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600;
    const handle = openSync(part, "w", mode);
    try {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** A log that is only ever appended to, one write a line, and cut at the front when it has grown too long. */
export class Log {
  readonly file: string;
  private handle: number | undefined;
  private written = 0;
  private failed = false;

  constructor(file: string) {
    this.file = file;
  }

  /** Appends whole lines. Says whether they were written. */
  append(lines: string): boolean {
    if (this.failed || lines === "") return !this.failed;
    try {
      // Another process may have put a shorter file in place of this one.
      if (this.handle !== undefined && fstatSync(this.handle).nlink === 0) this.close();
      if (this.handle === undefined) {
        if (isLog(this.file) !== undefined) throw new Error("not a file");
        mkdirSync(dirname(this.file), { recursive: true });
        this.handle = openSync(this.file, "a+", 0o600);
        if (!endsWithLine(this.handle)) writeSync(this.handle, "\n");
      }
      for (const line of lines.split(/(?<=\n)/)) this.written += writeSync(this.handle, line);
      return true;
    } catch {
      this.failed = true;
      this.close();
      return false;
    }
  }

  /** Drops the oldest lines where `rotate` says so; called between sessions, not between lines. */
  rotate(from: (log: Uint8Array) => number | null): void {
    try {
      if (!existsSync(this.file) || isLog(this.file) !== undefined || statSync(this.file).size < 1024 * 1024) return;
      const log = readFileSync(this.file);
      const start = from(log);
      if (start === null) return;
      this.close();
      replaceFile(this.file, log.subarray(start));
    } catch {
      // The log stays as long as it is.
    }
  }

  close(): void {
    if (this.handle === undefined) return;
    try {
      closeSync(this.handle);
    } catch {
      // Nothing more can be done about it.
    }
    this.handle = undefined;
  }
}

/** Whether the file ends with a line end, or is empty; a killed process may have left half a line. */
function endsWithLine(handle: number): boolean {
  const { size } = fstatSync(handle);
  const last = Buffer.alloc(1);
  return size === 0 || readSync(handle, last, 0, 1, size - 1) === 0 || last[0] === 0x0a;
}
