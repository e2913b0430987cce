/** A piece of the model's answer, streamed and not recorded: the recorded answer contains the whole of it. */
export interface LiveFact {
  type: "text_delta" | "thinking_delta" | "thinking";
  messageId: string;
  text: string;
}
