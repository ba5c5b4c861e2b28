// For owners who attach notes themselves: from prepared arguments to the result of the same call.

import { faithfulText } from "./border.js";

export interface RepairFeedback {
  rules: string[];
  notes: string[];
  [member: string]: unknown;
}

export interface RepairLifecycleOptions {
  ttlMs?: number;
  maxPending?: number;
  maxAssociated?: number;
  now?: () => number;
}

/**
 * First in, first out among equal arguments of the same tool, bounded in number and age. An owner whose
 * tool is wrapped by `adaptToolDefinition` does not need it.
 */
export class RepairLifecycle {
  private readonly ttlMs: number;
  private readonly maxPending: number;
  private readonly maxAssociated: number;
  private readonly now: () => number;
  private pending: { key: string; since: number; feedback: RepairFeedback }[] = [];
  private readonly bound = new Map<string, { since: number; feedback: RepairFeedback }>();

  constructor(options: RepairLifecycleOptions = {}) {
    this.ttlMs = options.ttlMs ?? 5 * 60 * 1000;
    this.maxPending = options.maxPending ?? 128;
    this.maxAssociated = options.maxAssociated ?? 256;
    this.now = options.now ?? Date.now;
  }

  enqueue(toolName: string, args: unknown, feedback: RepairFeedback): void {
    this.cleanup();
    this.pending.push({ key: keyOf(toolName, args), since: this.now(), feedback: copyOf(feedback) });
    if (this.pending.length > this.maxPending) this.pending.shift();
  }

  correlate(toolName: string, args: unknown, toolCallId: string): RepairFeedback | undefined {
    this.cleanup();
    const key = keyOf(toolName, args);
    const at = this.pending.findIndex((one) => one.key === key);
    const [found] = at < 0 ? [] : this.pending.splice(at, 1);
    if (found) this.associate(toolCallId, found.feedback);
    return found?.feedback;
  }

  associate(toolCallId: string, feedback: RepairFeedback): void {
    this.cleanup();
    this.bound.set(toolCallId, { since: this.now(), feedback });
    const oldest = this.bound.keys().next().value;
    if (this.bound.size > this.maxAssociated && oldest !== undefined) this.bound.delete(oldest);
  }

  peek(toolCallId: string): RepairFeedback | undefined {
    this.cleanup();
    return this.bound.get(toolCallId)?.feedback;
  }

  take(toolCallId: string): RepairFeedback | undefined {
    const feedback = this.peek(toolCallId);
    this.bound.delete(toolCallId);
    return feedback;
  }

  cleanup(): void {
    const earliest = this.now() - this.ttlMs;
    this.pending = this.pending.filter((one) => one.since >= earliest);
    for (const [id, one] of this.bound) if (one.since < earliest) this.bound.delete(id);
  }

  clear(): void {
    this.pending = [];
    this.bound.clear();
  }

  get pendingCount(): number {
    return this.pending.length;
  }
}

/** The owner's feedback must not change when its own object does; what cannot be copied is kept as it is. */
function copyOf(feedback: RepairFeedback): RepairFeedback {
  try {
    return structuredClone(feedback);
  } catch {
    return { ...feedback };
  }
}

/**
 * Equal for arguments that differ in the order of members only. A value that JSON cannot say (a BigInt, a
 * cycle, a getter, `NaN`, a proxy that throws) is equal to itself alone. Never throws.
 */
export function stableSerialize(value: unknown): string {
  const text = faithfulText(value);
  try {
    if (text !== undefined) return JSON.stringify(JSON.parse(text), sorted);
  } catch {
    // What nests too deep to be sorted is told apart by identity, too.
  }
  return `no JSON: ${identity(value)}`;
}

function sorted(_key: string, member: unknown): unknown {
  if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
  return Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)));
}

const identities = new WeakMap<WeakKey, number>();
let counted = 0;

/** A text that no other value has. */
function identity(value: unknown): string {
  if (typeof value !== "object" && typeof value !== "function" || value === null) {
    return Object.is(value, -0) ? "number -0" : `${typeof value} ${String(value)}`;
  }
  const known = identities.get(value) ?? (counted += 1);
  identities.set(value, known);
  return `${typeof value} ${known}`;
}

const keyOf = (toolName: string, args: unknown): string => `${toolName}\n${stableSerialize(args)}`;
