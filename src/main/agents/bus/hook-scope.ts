import type { Caller } from "../../../contract/index.ts";
import type { Span } from "../record/recorder.ts";

/** On whose behalf an event is dispatched. */
export interface HookScope {
  sessionId: string;
  caller: Caller;
  signal: AbortSignal;
  /** Where the record has what the hooks do: the turn, the model call or the tool call that they are asked about. */
  span: Span;
}
