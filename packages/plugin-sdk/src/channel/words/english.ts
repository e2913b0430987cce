import type { ChannelApprovalOutcome } from "../../channel-agent.ts";
import type { Stopped } from "../stopping.ts";

const outcomes: Record<ChannelApprovalOutcome, string> = {
  allowed: "allowed",
  refused: "refused",
  expired: "expired, so it was refused",
  cancelled: "no longer needed",
};

/** What the toolkit says in chats by itself. Words that people may type are understood in every language. */
export interface ChatWords {
  allow: string;
  refuse: string;
  asks(tool: string, request: string): string;
  howToAnswer(request: string): string;
  tooLongToShow(request: string): string;
  settled(tool: string | undefined, request: string, outcome: ChannelApprovalOutcome): string;
  onlyOwnerDecides: string;
  /** Somebody wants to decide where nobody could. */
  noOwner: string;
  decidedInPatchbay: string;
  oldButton: string;
  stopped(stopped: Stopped): string;
  welcome: string;
  signIn: string;
  /** @param bot its name, where it is known */
  enough(bot: string | undefined, times: number): string;
  noFilesHere: string;
  couldNotAnswer: string;
  couldNotAnswerBecause(reason: string): string;
  /** What an error of Patchbay means, by its code; the sentence of the error where it has none here. */
  problems: Readonly<Record<string, string>>;
}

export const english: ChatWords = {
  allow: "Allow",
  refuse: "Refuse",
  asks: (tool, request) => `The agent wants to use ${tool} (request ${request}).`,
  howToAnswer: (request) => `Answer approve ${request} or refuse ${request}.`,
  tooLongToShow: (request) =>
    `This is too long to be shown here whole. Allow it in Patchbay, or answer refuse ${request}.`,
  settled: (tool = "tool call", request, outcome) => `Request ${request} (${tool}): ${outcomes[outcome]}.`,
  onlyOwnerDecides: "Only the owner may decide this.",
  noOwner: "Only an owner may decide this, and there is none here yet. It is decided in Patchbay.",
  decidedInPatchbay: "This version of Patchbay decides approvals in its own window.",
  oldButton: "This button is no longer in use.",
  stopped(stopped) {
    switch (stopped.kind) {
      case "nothing":
        return "Nothing is being answered here.";
      case "others":
        return "Only the person whose turn it is, or an owner, can stop it.";
      case "stopped": {
        const { running, waiting } = stopped;
        if (waiting === 0) return "Stopped.";
        const what = waiting === 1 ? "the message that waited" : `the ${waiting} messages that waited`;
        return running
          ? `Stopped, and ${what} will not be answered.`
          : `Stopped: ${what} will not be answered.`;
      }
    }
  },
  welcome: "You may write to me now.",
  signIn: "I only talk with people who are signed in with an account here. Sign in, then write again.",
  enough: (bot = "this bot", times) =>
    `I have answered ${bot} ${times === 1 ? "once" : `${times} times`} without a person between. I go on when a person writes here.`,
  noFilesHere: "files cannot be sent here",
  couldNotAnswer: "I could not answer this. Please try again later.",
  couldNotAnswerBecause: (reason) => `I could not answer: ${reason}`,
  problems: {},
};
