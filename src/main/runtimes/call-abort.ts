import type { Caller } from "../../contract/index.ts";
import type { CallAbort } from "../base/call-abort.ts";
import type { CallScope, ToolCallScope } from "./runtime.ts";

/**
 * The scope of a call that its maker watches over: it alone gives the call up. The signal is read here rather than kept, so
 * that one is only made for a runtime that wants it.
 */
export class WatchedScope implements CallScope {
  readonly abort: CallAbort;
  readonly sessionId: string;
  readonly caller: Caller;
  readonly timeoutMs = Number.POSITIVE_INFINITY;

  constructor(abort: CallAbort, sessionId: string, caller: Caller) {
    this.abort = abort;
    this.sessionId = sessionId;
    this.caller = caller;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }
}

/** The same for a tool. */
export class WatchedToolScope extends WatchedScope implements ToolCallScope {
  readonly toolCallId: string;
  readonly onUpdate: (text: string) => void;

  constructor(
    abort: CallAbort,
    call: Pick<ToolCallScope, "sessionId" | "caller" | "toolCallId" | "onUpdate">,
  ) {
    super(abort, call.sessionId, call.caller);
    this.toolCallId = call.toolCallId;
    this.onUpdate = call.onUpdate;
  }
}
