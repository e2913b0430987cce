import type { SecretLookup } from "../ports.ts";
import { DeltaRedactor } from "./delta-redactor.ts";

/**
 * What a model thinks before it speaks, as it is streamed: pieces, and each thought to its end. Some providers say only at the
 * end of a message that a thought was over, so whoever hears the model do something else ends it.
 */
export class Thoughts {
  private readonly redactor: DeltaRedactor;
  private readonly publish: (type: "thinking_delta" | "thinking", text: string) => void;
  private thought = "";

  constructor(
    secrets: Pick<SecretLookup, "redact">,
    publish: (type: "thinking_delta" | "thinking", text: string) => void,
  ) {
    this.redactor = new DeltaRedactor(secrets);
    this.publish = publish;
  }

  push(piece: string): void {
    this.show(this.redactor.push(piece));
  }

  /** Ends the thought; does nothing when there is none. */
  end(): void {
    this.show(this.redactor.flush());
    if (this.thought === "") return;
    this.publish("thinking", this.thought);
    this.thought = "";
  }

  private show(text: string): void {
    if (text === "") return;
    this.thought += text;
    this.publish("thinking_delta", text);
  }
}
