import type { Caller, Effect } from "../../../contract/index.ts";
import type { SecretLookup } from "../ports.ts";
import type { Span } from "../record/recorder.ts";
import { redactDeep } from "../redact.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { Aftermath } from "./aftermath.ts";
import { thinkingAfter } from "./ahead.ts";
import type { EffectSink } from "./effect-sink.ts";

/**
 * What plugins ask for beside their answers where no turn runs: in a command, in a hook on a conversation or a channel, in
 * what was fired by hand. It is done in the conversation that the call belongs to.
 */
export class OutsideEffects {
  private readonly options: {
    aftermath: Aftermath;
    secrets: Pick<SecretLookup, "redact" | "hasNone">;
    open(agentId: string, sessionId: string): Promise<LiveSession>;
  };
  private readonly underWay = new Set<Promise<void>>();

  constructor(options: OutsideEffects["options"]) {
    this.options = options;
  }

  /** Takes what is asked for in a conversation; undefined where there is none. */
  of(agentId: string, sessionId: string, caller: Caller): EffectSink | undefined {
    if (sessionId === "") return undefined;
    return {
      take: (owner, asked, span) => {
        const effects = redactDeep(asked, this.options.secrets);
        this.note(owner, effects, span);
        const doing = this.options
          .open(agentId, sessionId)
          .then((session) => this.apply(session, owner, effects, caller))
          // A conversation that is not there, or not any more, has nobody to tell.
          .catch(() => {});
        this.underWay.add(doing);
        void doing.finally(() => this.underWay.delete(doing));
      },
    };
  }

  /** Resolves when everything asked for until now is done, but for runs. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private note(owner: string, effects: readonly Effect[], span: Span): void {
    span.record({ type: "effects_asked", owner, effects });
  }

  private async apply(
    session: LiveSession,
    owner: string,
    effects: readonly Effect[],
    caller: Caller,
  ): Promise<void> {
    for (const effect of effects) await this.one(session, owner, effect, caller);
  }

  private async one(session: LiveSession, owner: string, effect: Effect, caller: Caller): Promise<void> {
    const { aftermath } = this.options;
    const isChat = session.view.source.kind === "channel";
    switch (effect.kind) {
      case "notify":
      case "entry":
      case "customMessage":
      case "nextModel":
        return aftermath.say(session, owner, effect);
      case "thinkingLevel":
        if (thinkingAfter(session.path) === effect.level) return;
        return aftermath.say(session, owner, effect);
      case "stopAfterTurn":
        return;
      case "steer":
      case "followUp":
      case "run":
        if (!isChat) return aftermath.run(session, { owner, text: effect.text }, caller);
        return aftermath.say(session, owner, {
          kind: "refused",
          effect: effect.kind,
          why: { kind: "in_chat" },
        });
      case "session":
        if (isChat)
          return aftermath.say(session, owner, {
            kind: "refused",
            effect: "session",
            why: { kind: "in_chat" },
          });
        // After what runs in the conversation now, which may be the very command that asks.
        void session.serial(() => aftermath.move(session, owner, effect.request)).catch(() => {});
    }
  }
}
