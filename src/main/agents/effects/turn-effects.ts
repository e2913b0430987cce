import type { Effect, PluginSaid, ThinkingLevel, TreeRequest } from "../../../contract/index.ts";
import type { Ids } from "../../base/ids.ts";
import type { SecretLookup } from "../ports.ts";
import type { Span } from "../record/recorder.ts";
import { redactDeep } from "../redact.ts";
import type { AskedModel } from "./ahead.ts";
import type { EffectSink } from "./effect-sink.ts";

/** A text that a plugin gives the model. */
export interface PluginText {
  owner: string;
  text: string;
}

/** What a plugin asked of the tree of the conversation. */
export interface AskedOfTree {
  owner: string;
  request: TreeRequest;
}

/** What is left to be done when a turn has ended. */
export interface AfterTurn {
  runs: readonly PluginText[];
  tree: readonly AskedOfTree[];
}

type Refused = Extract<PluginSaid, { kind: "refused" }>;

/**
 * What plugins asked for beside their answers in one turn. Everything is recorded under the call in which it was asked, and
 * done from here: what the person reads at once, the rest when the run comes to the place for it.
 */
export class TurnEffects implements EffectSink {
  /** How much the model is to think; null: nobody said. */
  thinking: ThinkingLevel | null;
  private readonly turn: Span;
  private readonly ids: Ids;
  private readonly secrets: Pick<SecretLookup, "redact" | "hasNone">;
  private readonly isChat: boolean;
  private readonly steers: PluginText[] = [];
  private readonly followUps: PluginText[] = [];
  private readonly runs: PluginText[] = [];
  private readonly tree: AskedOfTree[] = [];
  /** What is to be left in the conversation after the answer that is being heard of; null: none is. */
  private held: { owner: string; said: PluginSaid }[] | null = null;
  private stop = false;
  private next: AskedModel | null = null;
  /** `over`: the model is not asked again in this turn. `closed`: the turn has ended. */
  private stage: "running" | "over" | "closed" = "running";

  constructor(options: {
    turn: Span;
    ids: Ids;
    secrets: Pick<SecretLookup, "redact" | "hasNone">;
    /** The conversation is one of a channel. */
    isChat: boolean;
    thinking: ThinkingLevel | null;
  }) {
    this.turn = options.turn;
    this.ids = options.ids;
    this.secrets = options.secrets;
    this.isChat = options.isChat;
    this.thinking = options.thinking;
  }

  take(owner: string, asked: readonly Effect[], span: Span): void {
    if (this.stage === "closed") return;
    const effects = redactDeep(asked, this.secrets);
    // Hooks that are told of pieces of an answer are not part of the record; what they ask for is.
    const place = span.recorder === this.turn.recorder ? span : this.turn;
    place.record({ type: "effects_asked", owner, effects });
    for (const effect of effects) this.apply(owner, effect);
  }

  /** The messages to the model that are to go before its next call, recorded as sent. */
  takeSteers(): PluginText[] {
    return this.sent(this.steers.splice(0));
  }

  /** The messages to the model with which the run goes on, recorded as sent. */
  takeFollowUps(): PluginText[] {
    return this.sent(this.followUps.splice(0));
  }

  /** The messages to the model with which another run of this turn begins, recorded as sent. */
  takeForNewRun(): PluginText[] {
    return this.sent([...this.steers.splice(0), ...this.followUps.splice(0)], { newRun: true });
  }

  /** Whether the run is to end now. */
  takeStop(): boolean {
    const { stop } = this;
    this.stop = false;
    return stop;
  }

  /** The model for a run that begins within this turn, if a plugin asked for one. */
  takeModel(): AskedModel | null {
    const { next } = this;
    this.next = null;
    return next;
  }

  /** The model is not asked again in this turn. What it was to be told is refused. */
  runsEnded(): void {
    this.answered();
    if (this.stage !== "running") return;
    this.stage = "over";
    const refuse = (effect: "steer" | "followUp") => (one: PluginText) =>
      this.refuse(one.owner, { effect, why: { kind: "run_over" } });
    this.steers.splice(0).forEach(refuse("steer"));
    this.followUps.splice(0).forEach(refuse("followUp"));
  }

  /** The turn has ended. What is left of what plugins asked for; after a stop by the person they begin no run. */
  close(aborted: boolean): AfterTurn | undefined {
    this.runsEnded();
    this.stage = "closed";
    const runs = aborted ? [] : this.runs;
    return runs.length + this.tree.length > 0 ? { runs, tree: this.tree } : undefined;
  }

  /** Plugins are told of an answer that is not stored yet: what they leave in the conversation comes after it. */
  answering(): void {
    this.held ??= [];
  }

  /** The answer is stored, or there will be none. */
  answered(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const { owner, said } of held) this.say(owner, said);
  }

  /** Leaves something in the conversation. */
  say(owner: string, said: PluginSaid): void {
    if (this.held) this.held.push({ owner, said });
    else this.turn.record({ type: "plugin_said", id: this.ids.next(), owner, said });
  }

  refuse(owner: string, what: Pick<Refused, "effect" | "why">): void {
    this.say(owner, { kind: "refused", ...what });
  }

  private sent(texts: PluginText[], more: { newRun?: true } = {}): PluginText[] {
    for (const { owner, text } of texts)
      this.turn.record({ type: "steered", id: this.ids.next(), owner, text, ...more });
    return texts;
  }

  private apply(owner: string, effect: Effect): void {
    switch (effect.kind) {
      case "notify":
      case "entry":
      case "customMessage":
        this.say(owner, effect);
        return;
      case "nextModel":
        this.next = { owner, model: effect.model };
        this.say(owner, effect);
        return;
      case "thinkingLevel":
        if (this.thinking !== effect.level) this.say(owner, effect);
        this.thinking = effect.level;
        return;
      case "stopAfterTurn":
        this.stop = true;
        return;
      case "steer":
        if (this.stage === "running") this.steers.push({ owner, text: effect.text });
        else this.begin(owner, effect);
        return;
      case "followUp":
        if (this.stage === "running") this.followUps.push({ owner, text: effect.text });
        else this.begin(owner, effect);
        return;
      case "run":
        this.begin(owner, effect);
        return;
      case "session":
        if (this.isChat) this.refuse(owner, { effect: "session", why: { kind: "in_chat" } });
        else this.tree.push({ owner, request: effect.request });
        return;
    }
  }

  /** A run of its own after this turn; also for what was to be told the model when its last run was over already. */
  private begin(
    owner: string,
    { kind, text }: Extract<Effect, { kind: "run" | "steer" | "followUp" }>,
  ): void {
    if (this.isChat) this.refuse(owner, { effect: kind, why: { kind: "in_chat" } });
    else this.runs.push({ owner, text });
  }
}
