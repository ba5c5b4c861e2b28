// What a provider's error means, and what a model should know of it: `pi-repair/advisor`.

import { lookedAt } from "./border.js";
import { loadNative, NativeUnavailableError, type NativeSession } from "./native.js";

export { NativeUnavailableError };

export interface AdvisorAnswer {
  stopReason: string;
  errorMessage?: string;
  status?: number;
  provider?: string;
  model?: string;
  /** Milliseconds since 1970. */
  timestamp?: number;
  usage?: { input?: number; output?: number; cacheRead?: number; window?: number };
}

export type AdvisorEvent =
  | { type: "user_end" }
  | ({ type: "assistant_end" } & AdvisorAnswer)
  | { type: "session_before_compact"; reason: "manual" | "threshold" | "overflow"; willRetry: boolean }
  | { type: "compact_aborted" }
  | { type: "session_compact"; reason: "manual" | "threshold" | "overflow"; willRetry: boolean }
  | { type: "session_compact_failed"; reason: "manual" | "threshold" | "overflow"; aborted: boolean; errorMessage?: string }
  | { type: "agent_settled"; aborted: boolean }
  | { type: "command_end"; name: string; error?: string }
  | { type: "reset" };

/** The class of an error text, an id of the catalogue, and the rule that found it. */
export function classifyError(error: string, facts: { status?: number; provider?: string } = {}): { class: string; rule: string } {
  return JSON.parse(loadNative().classifyError(String(error ?? "").toWellFormed(), lookedAt(facts ?? {})));
}

/** Follows a session's events and answers with notes for the next request. */
export class Advisor {
  private readonly session: NativeSession = new (loadNative().Session)();
  private readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** Hears an event; a warning for the user where a compaction failed. */
  on(event: AdvisorEvent): string | undefined {
    return this.session.hear(lookedAt(event), this.now()) ?? undefined;
  }

  /** The notes to put behind these messages: answers, `"summary"`, or anything else. */
  notes(messages: readonly (AdvisorAnswer | "summary" | null)[], model?: { provider: string; id: string }): string[] {
    if (model) this.session.setModel(model.provider, model.id, this.now());
    const notes = this.session.advise(lookedAt(messages), this.now());
    return notes ? JSON.parse(notes) : [];
  }
}
