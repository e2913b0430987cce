import type { Caller } from "../../../contract/index.ts";
import type { EffectSink } from "../effects/effect-sink.ts";
import type { Span } from "../record/recorder.ts";

/** On whose behalf an event is dispatched. */
export interface HookScope {
  sessionId: string;
  caller: Caller;
  signal: AbortSignal;
  /** For hooks that are told even when the turn was stopped: the signal of that. */
  until?: AbortSignal;
  /** The span under which the hooks are recorded: that of the turn, the model call or the tool call. */
  span: Span;
  /** Takes what hooks ask for beside their answers; absent: nothing can be asked for. */
  effects?: EffectSink | undefined;
}
