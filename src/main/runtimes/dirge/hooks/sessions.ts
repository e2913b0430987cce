/** Most conversations of which an instance remembers something. */
const MOST = 1_000;

/** What an instance remembers of a conversation from one event to the next. */
export interface SessionState {
  /** Number of the model call that is under way, or was the last one; it begins at 0 in each turn. -1: none yet. */
  index: number;
  turnId: string;
  /** What on-prompt wants the model to know in this turn. */
  hint: string | null;
  /** The last answer of the model, and whether it calls tools. Null: on-turn-end has been told of it. */
  said: { text: string; calls: boolean } | null;
  /** The text of the answer that is being streamed. */
  streamed: { messageId: string; text: string };
}

export class Sessions {
  readonly #states = new Map<string, SessionState>();

  of(sessionId: string): SessionState {
    const known = this.#states.get(sessionId);
    if (known) return known;
    const fresh: SessionState = {
      index: -1,
      turnId: "",
      hint: null,
      said: null,
      streamed: { messageId: "", text: "" },
    };
    this.#states.set(sessionId, fresh);
    const [oldest] = this.#states.keys();
    if (this.#states.size > MOST && oldest !== undefined) this.#states.delete(oldest);
    return fresh;
  }
}
