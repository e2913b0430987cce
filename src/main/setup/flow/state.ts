import type { Problem, SetupAnswer, SetupStep, SetupStepKind, SignInWay } from "../../../contract/index.ts";
import type { SetupPluginState } from "../../runtimes/runtime.ts";
import type { Grant, SignInRequest } from "../oauth/types.ts";

/** Where one wizard stands. Plain data: what it was and what happened give what it is. */
export interface FlowState {
  readonly id: string;
  readonly displayName: string;
  /** Whose steps these are: the plugin's own, or one form of its settings. */
  readonly asks: "plugin" | "form";
  /** What the screen shows. */
  readonly step: SetupStep;
  /** How many steps were shown; it gives each its id. */
  readonly shown: number;
  readonly trail: readonly TrailEntry[];
  readonly phase: Phase;
  /** The number of the work that counts. What any other work brings comes too late. */
  readonly turn: number;
  /** The plugin's setup process was opened and has not ended. */
  readonly pluginOpen: boolean;
  /** What a provider gave since the wizard began. */
  readonly grant: Grant | null;
  /** What was finished is stored. */
  readonly saved: boolean;
  /** When it ends by itself unless something happens, milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface TrailEntry {
  readonly kind: SetupStepKind;
  readonly title?: string;
}

/** What goes on behind the step that is shown. */
export type Phase =
  | { readonly kind: "new" }
  /** What runs for the wizard is being ended; then something else comes. */
  | { readonly kind: "releasing"; readonly next: AfterRelease }
  /** The plugin's setup is being opened, or its settings are looked at. */
  | { readonly kind: "opening" }
  /** The plugin looks at an answer. */
  | { readonly kind: "checking" }
  /** A form, a menu or settings wait for the person. */
  | { readonly kind: "resting" }
  /** Something outside is awaited. `nextAt` is null while the plugin is being asked. */
  | {
      readonly kind: "polling";
      readonly pace: Pace;
      readonly nextAt: number | null;
      /** The person wants a new code: when this question brings none, all begins anew. */
      readonly renewing: boolean;
    }
  | {
      readonly kind: "signing-in";
      readonly request: SignInRequest;
      readonly way: SignInWay | undefined;
      readonly page: "preparing" | "opening" | "open";
    }
  | {
      readonly kind: "saving";
      readonly outcome: Finished;
      /** The answer that is told when a form's settings are refused; null for a plugin's own setup. */
      readonly ticket: number | null;
      /** It was cancelled meanwhile: what is being saved is saved first. */
      readonly closing: boolean;
    }
  /** It is saved; the plugin is being started. */
  | { readonly kind: "starting"; readonly account: string | null }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly retry: Retry }
  | { readonly kind: "over" };

export type PhaseKind = Phase["kind"];

export type AfterRelease =
  | { readonly kind: "open" }
  | { readonly kind: "fail"; readonly problem: Problem; readonly retry: Retry }
  | { readonly kind: "start"; readonly account: string | null }
  /** It is over. `start`: what was saved has still to be started. */
  | { readonly kind: "over"; readonly start: boolean };

/** What is done when the person tries again. */
export type Retry =
  | { readonly kind: "begin" }
  | { readonly kind: "sign-in"; readonly request: SignInRequest; readonly way: SignInWay | undefined }
  /** What the plugin has handed over once is not asked for again. */
  | { readonly kind: "save"; readonly outcome: Finished };

/** How a plugin is asked about something outside. */
export interface Pace {
  readonly intervalMs: number;
  /** When the code that is shown is no good any more, milliseconds since 1970. */
  readonly expiresAt: number | null;
  /** Questions in a row that failed. */
  readonly failures: number;
}

/** What was finished and has to be kept. */
export interface Finished {
  readonly config: Record<string, unknown>;
  readonly secrets: Record<string, string>;
  readonly account: string | null;
  readonly grant: Grant | null;
  /** `config` is all settings there are; else what was set by hand survives beside it. */
  readonly whole: boolean;
}

/** What happens to a wizard. `at` is the time, milliseconds since 1970; `turn` names the work that brought it. */
export type FlowEvent = Happening & { readonly at: number };
export type Happening =
  /** The person, or who opens the wizard for them. */
  | { readonly kind: "begin" }
  | {
      readonly kind: "answer";
      readonly stepId: string;
      readonly answer: SetupAnswer;
      /** Names the one who answers, for `refuse`. */
      readonly ticket: number;
    }
  | { readonly kind: "ask-now" }
  | { readonly kind: "cancel" }
  /** Time. */
  | { readonly kind: "due"; readonly timer: Timer }
  /** What effects bring. */
  | { readonly kind: "said"; readonly turn: number; readonly state: SetupPluginState }
  | { readonly kind: "form-ready"; readonly turn: number; readonly config: Record<string, unknown> }
  | { readonly kind: "sign-in-ready"; readonly turn: number; readonly page: SignInPage }
  | { readonly kind: "page-opened"; readonly url: string; readonly opened: boolean }
  | { readonly kind: "signed-in"; readonly turn: number; readonly grant: Grant }
  | { readonly kind: "saved"; readonly turn: number }
  | { readonly kind: "started"; readonly turn: number }
  | { readonly kind: "failed"; readonly turn: number; readonly problem: Problem }
  | { readonly kind: "released" }
  /** The plugin's setup process ended by itself. */
  | { readonly kind: "plugin-ended" };

/** The page of a sign-in that waits. */
export interface SignInPage {
  readonly way: SignInWay;
  readonly ways: SignInWay[];
  readonly url: string;
  readonly userCode?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export type Timer = "poll" | "idle";

/** What is to be done. The runner carries it out; what has a `turn` brings one event with it. */
export type Effect =
  /** Brings `said` or `failed`. */
  | { readonly kind: "open-plugin"; readonly turn: number }
  | { readonly kind: "submit"; readonly turn: number; readonly input: Record<string, unknown> }
  | { readonly kind: "poll"; readonly turn: number }
  /** Brings `form-ready` or `failed`. */
  | { readonly kind: "open-form"; readonly turn: number }
  /** Brings `sign-in-ready` and then `signed-in`, or `failed`. A sign-in that waited before is ended first. */
  | {
      readonly kind: "sign-in";
      readonly turn: number;
      readonly request: SignInRequest;
      readonly way: SignInWay | undefined;
    }
  /** Brings `page-opened`. */
  | { readonly kind: "open-page"; readonly url: string }
  /** Brings `saved` or `failed`. */
  | { readonly kind: "save"; readonly turn: number; readonly outcome: Finished }
  /** Brings `started`, whether or not the plugin starts. */
  | { readonly kind: "start"; readonly turn: number }
  /** Ends the work that goes on, a sign-in that waits and the plugin's process. Brings `released`. */
  | {
      readonly kind: "release";
      /** The plugin is told, so that it lets go of what it waits for. */
      readonly cancel: boolean;
      readonly why: string;
    }
  /** Sets a timer, in place of the one of that name; null: none. */
  | { readonly kind: "timer"; readonly timer: Timer; readonly at: number | null }
  /** Texts that must not be seen anywhere from now on. */
  | { readonly kind: "hide"; readonly values: readonly string[] }
  /** The one who answered is told why not. */
  | { readonly kind: "refuse"; readonly ticket: number; readonly problem: Problem }
  /** The step or the trail is another one. */
  | { readonly kind: "show" }
  /** Nobody looked at it for long after it was over: its owner puts it away. */
  | { readonly kind: "forget" };

export interface Transition {
  readonly state: FlowState;
  readonly effects: readonly Effect[];
}

/** What must not be seen, as an effect; none without a value. */
export function hide(values: readonly (string | undefined)[]): Effect[] {
  const known = values.flatMap((value) => (value ? [value] : []));
  return known.length > 0 ? [{ kind: "hide", values: known }] : [];
}

export function stay(state: FlowState): Transition {
  return { state, effects: [] };
}

/** Whether it waits for the person, for something outside or for nothing: nothing that it began goes on. */
export function isSettled({ phase }: FlowState): boolean {
  switch (phase.kind) {
    case "resting":
    case "done":
    case "failed":
    case "over":
      return true;
    case "polling":
      return phase.nextAt !== null;
    case "signing-in":
      return phase.page === "open";
    case "new":
    case "releasing":
    case "opening":
    case "checking":
    case "saving":
    case "starting":
      return false;
  }
}

/** Whether it was cancelled; screens hear nothing more of it. */
export function isClosing({ phase }: FlowState): boolean {
  switch (phase.kind) {
    case "over":
      return true;
    case "releasing":
      return phase.next.kind === "over";
    case "saving":
      return phase.closing;
    default:
      return false;
  }
}
