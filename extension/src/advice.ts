// What the advisor hears of the host, in the few members that matter to it.

import { lookedAt } from "./border.js";
import type { Message } from "./host.js";

/** An answer as the advisor compares it: the same members, whether heard at its end or seen in a context. */
export class Briefs {
  private readonly heard = new Map<string, object>();

  /** The answer, with the window of the model that gave it. */
  hear(message: Message, window: number | undefined): object {
    const brief = briefOf(message, window);
    this.heard.set(keyOf(message), brief);
    if (this.heard.size > 16) this.heard.delete(this.heard.keys().next().value as string);
    return brief;
  }

  /** The messages of a request: answers, summaries, and a 0 for the rest. */
  of(messages: Message[]): string {
    return lookedAt(messages.map((message) => {
      if (message.role === "assistant") return this.heard.get(keyOf(message)) ?? briefOf(message, undefined);
      return message.role === "compactionSummary" || message.role === "branchSummary" ? "summary" : 0;
    }));
  }
}

function keyOf(message: Message): string {
  return `${message.timestamp}\n${message.stopReason}\n${message.errorMessage ?? ""}`;
}

function briefOf(message: Message, window: number | undefined): object {
  const { stopReason, errorMessage, provider, model, timestamp, usage } = message;
  const tokens = usage && { input: usage.input, output: usage.output, cacheRead: usage.cacheRead, window };
  return { stopReason, errorMessage, provider, model, timestamp, usage: tokens };
}
