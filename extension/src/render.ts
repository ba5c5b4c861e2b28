// The mark on the row of a repaired call: below pi's own rendering, which stays as it is.

import type { Component, RenderContext, Renderers, RenderResult, Theme, ToolResult } from "./host.js";
import type { Runtime } from "./runtime.js";

export const ENTRY = "pi-repair";

const OPEN = "<repair_note>";

/** The note that stands before a result, and the result without it. */
function split(result: ToolResult): { note: string; rest: ToolResult } | undefined {
  const first = result?.content?.[0];
  if (first?.type !== "text" || !first.text?.startsWith(OPEN)) return undefined;
  return { note: first.text, rest: { ...result, content: result.content.slice(1) } };
}

/** pi's component with lines of ours below it, none wider than the row. */
class Marked implements Component {
  [member: string]: unknown;
  readonly body: Component | undefined;
  private readonly lines: (width: number) => string[];

  constructor(body: Component | undefined, lines: (width: number) => string[]) {
    this.body = body;
    this.lines = lines;
  }

  render(width: number): string[] {
    return [...(this.body?.render(width) ?? []), ...this.lines(width)];
  }

  invalidate(): void {
    this.body?.invalidate?.();
  }
}

/** The renderer with the mark added; `rules` are known by the id of the call. */
export function marked(inner: RenderResult, runtime: () => Runtime | undefined, rules: Map<string, string[]>): RenderResult {
  return (result, options, theme, context) => {
    const last = context?.lastComponent;
    const own: RenderContext = context && last instanceof Marked
      ? Object.create(context, { lastComponent: { value: last.body, enumerable: true } })
      : context;
    const parts = split(result);
    if (parts === undefined) return inner(result, options, theme, own);
    const body = inner(parts.rest, options, theme, own);
    return new Marked(body, (width) => lines(width, parts.note, theme, runtime(), rules.get(context?.toolCallId ?? "") ?? []));
  };
}

function lines(width: number, note: string, theme: Theme, runtime: Runtime | undefined, rules: string[]): string[] {
  if (runtime === undefined || width < 1) return [];
  const { showIndicator, showNotes } = runtime.settings;
  const mark = showIndicator ? runtime.guard(() => runtime.native.indicator(rules, width)) : "";
  const page = mark ? [mark] : [];
  if (showNotes) page.push(...note.split("\n").slice(1, -1).flatMap((line) => wrap(line, width)));
  return page.map((line) => theme.fg("dim", line));
}

/** Words of one line, on as many lines as they need; characters that may be wider than one column count two. */
function wrap(line: string, width: number): string[] {
  const columns = (text: string) => [...text].reduce((sum, sign) => sum + (sign.codePointAt(0)! < 0x300 || sign === "…" || sign === "‹" || sign === "›" ? 1 : 2), 0);
  const out: string[] = [];
  let row = "";
  for (const word of line.split(" ")) {
    const longer = row === "" ? word : `${row} ${word}`;
    if (columns(longer) <= width) {
      row = longer;
      continue;
    }
    if (row !== "") out.push(row);
    row = "";
    for (const sign of word) {
      if (columns(row + sign) > width) {
        out.push(row);
        row = "";
      }
      row += sign;
    }
  }
  if (row !== "") out.push(row);
  return out;
}

/** The renderers of any tool, with the mark where they draw results. */
export function markedRenderers(own: Renderers | undefined, runtime: () => Runtime | undefined, rules: Map<string, string[]>): Renderers | undefined {
  return own?.renderResult ? { ...own, renderResult: marked(own.renderResult, runtime, rules) } : own;
}

/** The rules of earlier calls, out of the session's own entries. */
export function rulesOf(entries: { type: string; customType?: string; data?: unknown }[]): Map<string, string[]> {
  const rules = new Map<string, string[]>();
  for (const entry of entries) {
    if (entry.type !== "custom" || entry.customType !== ENTRY) continue;
    const data = entry.data as { id?: unknown; rules?: unknown } | undefined;
    if (typeof data?.id !== "string" || !Array.isArray(data.rules)) continue;
    rules.set(data.id, data.rules.filter((rule): rule is string => typeof rule === "string"));
  }
  return rules;
}
