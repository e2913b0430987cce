import type { Effect } from "../../../contract/index.ts";
import type { CallScope } from "../../runtimes/plugin-call.ts";
import type { Span } from "../record/recorder.ts";

/** Takes what plugins ask for beside their answers: the turn that runs, or the conversation where none does. */
export interface EffectSink {
  /** @param span of the call */
  take(owner: string, effects: readonly Effect[], span: Span): void;
}

/** The part of a call's scope that hands on what the plugin `owner` asks for in it. */
export function handingTo(sink: EffectSink | undefined, owner: string, span: Span): CallScope["effects"] {
  return sink && ((effects) => sink.take(owner, effects, span));
}
