/** Who writes: the settings name `owner` as owner and `user` as user; `stranger` is named nowhere. */
export type Person = "owner" | "user" | "stranger";
/** Where they write: to the bot alone, in the group that the settings allow, in one that they do not, or in one with rules of its own. */
export type Place = "dm" | "group" | "other group" | "own room";

/** What a platform lets happen; tests of what it does not are not there. */
export interface PlatformAbilities {
  /** There are groups; false where there are none, or answers in them are unproven. */
  groups?: false;
  /** In the group of the settings, everybody is answered; else only people of the lists. */
  openGroups?: true;
  /** In the group each message to the bot opens a conversation of its own (a thread), which is answered beside the others. */
  opensThreads?: true;
  /** False where people have nothing that cannot change hands, so that strangers get no code. */
  signsIn?: false;
  /** Messages carry ids, so that `sayAgain` can deliver one twice. */
  deliverTwice: boolean;
  /** Messages can carry buttons (`press`). */
  buttons: boolean;
  /** The platform can answer "too many requests" with a time to wait (`limit`). */
  rateLimit: boolean;
  /** Signing in can be refused (`refuse`). */
  refuse: boolean;
  /** The platform keeps what is said while the bot is away and gives it to it later. Else nothing is said meanwhile. */
  keepsMessages: boolean;
  /**
   * A message that was sent twice by a bot that died in between is shown once (idempotency keys). Else the suite does
   * not count one repetition as a fault if the bot was killed or cut off before it could know that the message was sent.
   */
  knowsRepeats: boolean;
  /** Marks of Markdown that the platform's own programs show as marks. Default: all of them. */
  rawMarks?: readonly string[];
  /** Lines of 26 characters that make an answer of several messages. */
  longLines: number;
}

/**
 * A platform with people on it, as the common suite drives it: a local server that speaks the platform's wire format, or
 * a real one. Nothing here knows Patchbay. Servers keep running while the app is killed and started again.
 */
/** What the settings of every platform say of its room with rules of its own, beside whom it answers: the stranger alone. */
export const inOwnRoom = { people: "these", answers: "mentioned", prompt: "Call everybody captain." };

export interface PlatformUnderTest {
  /** The plugin under test. */
  readonly key: string;
  /** What the person would put into the wizard: settings as the plugin takes them, and declared secrets. */
  settings(): { config: Record<string, unknown>; secrets: Record<string, string> };
  /** Resolves once the platform has taken the message. In groups `addressed` (default) mentions the bot. */
  say(person: Person, text: string, where?: { place?: Place; addressed?: boolean }): Promise<void>;
  /** The last message of this person is delivered to the bot once more, as platforms do after a lost acknowledgement. */
  sayAgain?(person: Person): Promise<void>;
  /** What the bot has said there, as the person sees it now: edits made, deletions gone, oldest first. */
  heard(person: Person, place?: Place): readonly string[];
  /** Presses a button of the bot's newest message with buttons that this person sees. */
  press?(person: Person, label: string): Promise<void>;
  /** Called whenever `heard` may have changed. Returns what ends that. */
  onHeard(listener: () => void): () => void;
  /** Resolves when the bot is connected, as the platform sees it. */
  connected(): Promise<void>;
  /** Cuts the bot's connections, without goodbye. */
  cut(): Promise<void>;
  /** Ends the server and starts it again, with what it keeps on its disk. */
  restart(): Promise<void>;
  /** From now on, or no longer: the bot's credentials are refused, also those in use. */
  refuse?(refused: boolean): Promise<void>;
  /** The next `count` sends are answered with "too many", to be tried again after so many milliseconds. */
  limit?(count: number, retryAfterMs: number): void;
  close(): Promise<void>;
}
