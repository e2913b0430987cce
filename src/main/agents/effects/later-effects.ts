import type { Effect } from "../../../contract/index.ts";
import type { Span } from "../record/recorder.ts";
import type { EffectSink } from "./effect-sink.ts";

/** Keeps what a command asks for beside its text until the command stands in the conversation. */
export class LaterEffects implements EffectSink {
  private readonly sink: EffectSink | undefined;
  private readonly asked: { owner: string; effects: readonly Effect[]; span: Span }[] = [];

  /** @param sink of the conversation; undefined: the command runs outside of one */
  constructor(sink: EffectSink | undefined) {
    this.sink = sink;
  }

  take(owner: string, effects: readonly Effect[], span: Span): void {
    this.asked.push({ owner, effects, span });
  }

  release(): void {
    for (const { owner, effects, span } of this.asked.splice(0)) this.sink?.take(owner, effects, span);
  }

  /** What is told the person with the text of a command outside of a conversation, a line each. */
  get lines(): string[] {
    if (this.sink) return [];
    return this.asked.flatMap(({ owner, effects }) =>
      effects.flatMap((effect) => {
        if (effect.kind === "notify") return [`[${owner}] ${effect.text}`];
        return effect.kind === "customMessage" && effect.display ? [`[${owner}] ${effect.content}`] : [];
      }),
    );
  }
}
