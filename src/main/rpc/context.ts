import type { Caller } from "../authority/index.ts";

/** What every transport says of a call: who makes it. */
export interface CallContext {
  caller: Caller;
}
