import type { PauseView } from "../../../contract/pauses/pauses.ts";

/** What the turn is about, without the mark of the place. */
export function subjectOf({ subject }: PauseView): unknown {
  switch (subject.where) {
    case "tool":
      return subject.arguments;
    case "hook":
      return subject.payload;
    case "result":
      return { content: subject.content, isError: subject.isError };
    case "model":
      return { system: subject.system, messages: subject.messages };
  }
}
