// The error by which a refused call fails.

import type { Refused } from "./prepare.js";

/** The call was refused; the message is for the model, and quotes the call. */
export class UnrepairableToolInputError extends Error {
  override name = "UnrepairableToolInputError";
  /** Why, as an id of the catalogue, or `owner-transform` where a transform of the tool's owner failed. */
  readonly reason: string;
  readonly result: Refused;

  constructor(result: Refused) {
    super(result.message);
    this.reason = result.reason;
    this.result = result;
  }
}
