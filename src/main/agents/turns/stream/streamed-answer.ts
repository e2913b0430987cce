import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { Clock } from "../../../base/clock.ts";
import type { SecretLookup } from "../../ports.ts";
import type { Span } from "../../record/recorder.ts";
import { DeltaRedactor } from "./delta-redactor.ts";
import { DeltaThrottle } from "./delta-throttle.ts";
import { Thoughts } from "./thoughts.ts";

/** An answer of the model as it comes: pieces of text and thoughts for whoever watches, without stored secrets. */
export class StreamedAnswer {
  messageId = "";
  private call: Span;
  private speaking = false;
  private readonly redactor: DeltaRedactor;
  private readonly thoughts: Thoughts;
  private readonly deltas: DeltaThrottle;
  private readonly hasListeners: () => boolean;

  constructor(
    turn: Span,
    options: {
      secrets: SecretLookup;
      clock: Clock;
      /** Whether hooks listen to the pieces. */
      hasListeners(): boolean;
      /** Tells them of one. */
      tell(messageId: string, text: string): Promise<void>;
    },
  ) {
    this.call = turn;
    this.hasListeners = options.hasListeners;
    this.redactor = new DeltaRedactor(options.secrets);
    this.thoughts = new Thoughts(options.secrets, (type, text) =>
      turn.recorder.stream({ type, messageId: this.messageId, text }),
    );
    this.deltas = new DeltaThrottle(options.clock, (text) => options.tell(this.messageId, text));
  }

  /** The model was asked anew. */
  asked(call: Span): void {
    this.call = call;
    this.speaking = false;
  }

  update(update: AssistantMessageEvent): void {
    if (!this.speaking) this.call.record({ type: "model_speaking" });
    this.speaking = true;
    switch (update.type) {
      case "thinking_delta":
        this.thoughts.push(update.delta);
        break;
      case "text_delta":
        this.thoughts.end();
        this.show(this.redactor.push(update.delta));
        break;
      case "toolcall_start":
      case "thinking_end":
        this.thoughts.end();
    }
  }

  /** Streams what was held back. */
  end(): void {
    this.thoughts.end();
    this.show(this.redactor.flush());
  }

  /** Resolves when the hooks were told of every piece. Never rejects. */
  told(): Promise<void> {
    return this.deltas.flush();
  }

  private show(text: string): void {
    if (!text) return;
    this.call.recorder.stream({ type: "text_delta", messageId: this.messageId, text });
    if (this.hasListeners()) this.deltas.push(text);
  }
}
