import type { Message } from "@earendil-works/pi-ai";
import { isoOf } from "../../base/clock.ts";
import type { PluginText } from "../effects/turn-effects.ts";
import type { ReadyModel } from "../models/index.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { RunInput } from "./run-input.ts";
import { userMessage } from "./transcript.ts";

/** What plugins tell the model in the middle of a turn: before its next call, and when it would stop. */
export class GoingOn {
  private readonly input: RunInput;
  private readonly session: LiveSession;
  private readonly isAtLimit: () => boolean;
  private readonly changeModel: (to: { model: ReadyModel; modelName: string }) => void;

  constructor(
    input: RunInput,
    options: {
      session: LiveSession;
      /** The model may not be called again in this turn. */
      isAtLimit(): boolean;
      /** Another run of the turn begins, with this model. */
      changeModel(to: { model: ReadyModel; modelName: string }): void;
    },
  ) {
    this.input = input;
    this.session = options.session;
    this.isAtLimit = options.isAtLimit;
    this.changeModel = options.changeModel;
  }

  /** What is to be said before the next model call. It stands in the conversation when this resolves. */
  async steers(): Promise<Message[]> {
    return this.isAtLimit() ? [] : this.given(this.input.effects.takeSteers());
  }

  /** The loop would stop here: what it goes on with, within its run or in another one. */
  async followUps(): Promise<Message[]> {
    const { effects, signal, boundary } = this.input;
    if (signal.aborted || this.isAtLimit()) return [];
    const more = effects.takeFollowUps();
    if (more.length > 0) return this.given(more);
    await boundary.ended();
    if (signal.aborted) return [];
    const next = effects.takeForNewRun();
    if (next.length === 0) return [];
    boundary.begins();
    const other = await this.input.nextModel();
    if (other) this.changeModel(other);
    return this.given(next);
  }

  private async given(texts: readonly PluginText[]): Promise<Message[]> {
    if (texts.length === 0) return [];
    await this.session.settled();
    const at = isoOf(this.input.turn.recorder.lastAt);
    return texts.map(({ text }) => userMessage(text, at));
  }
}
