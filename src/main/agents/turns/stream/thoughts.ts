import type { SecretLookup } from "../../ports.ts";
import { DeltaRedactor } from "./delta-redactor.ts";

/**
 * The thoughts that a model streams before its answer: pieces of them, and each whole thought at its end. Some
 * providers report the end of a thought only at the end of the message, so the caller ends it as soon as the model does
 * something else.
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
