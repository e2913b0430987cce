import type { Problem, SetupAnswer, SetupStep, SetupStepKind, SignInWay } from "../../../contract/index.ts";
import type { SetupPluginState } from "../../runtimes/runtime.ts";
import type { Grant, SignInRequest } from "../oauth/types.ts";

/** The whole state of one wizard, as plain data: `flow` computes the next one from it and an event. */
export interface FlowState {
  readonly id: string;
  readonly displayName: string;
  /** Whose steps these are: the plugin's own, or one form of its settings. */
  readonly asks: "plugin" | "form";
  /** What the screen shows. */
  readonly step: SetupStep;
  /** How many steps were shown so far; the number is part of the shown step's id. */
  readonly shown: number;
  readonly trail: readonly TrailEntry[];
  readonly phase: Phase;
  /** The number of the current piece of work. Results of work with another number are ignored: they come too late. */
  readonly turn: number;
  /** The plugin's setup process was opened and has not ended. */
  readonly pluginOpen: boolean;
  /** The tokens of the latest sign-in since the wizard began. */
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
  /** The plugin's setup process is being opened, or the form of its settings is being prepared. */
  | { readonly kind: "opening" }
  /** The plugin looks at an answer. */
  | { readonly kind: "checking" }
  /** A form, a menu or settings wait for the person. */
  | { readonly kind: "resting" }
  /**
   * The plugin waits for something outside, such as a scanned code, and is asked again and again. `nextAt` is null
   * while a question is under way.
   */
  | {
      readonly kind: "polling";
      readonly pace: Pace;
      readonly nextAt: number | null;
      /** The person wants a new code: when the running question brings none, the whole setup begins anew. */
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
      /** The ticket of the answer to refuse when a form's settings are refused; null for a plugin's own setup. */
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
  /** Saves the same outcome again: the plugin handed it over once and is not asked for it a second time. */
  | { readonly kind: "save"; readonly outcome: Finished };

/** How a plugin is asked about something outside. */
export interface Pace {
  readonly intervalMs: number;
  /** When the code that is shown is no good any more, milliseconds since 1970. */
  readonly expiresAt: number | null;
  /** Questions in a row that failed. */
  readonly failures: number;
}

/** The finished outcome of a setup, to be saved. */
export interface Finished {
  readonly config: Record<string, unknown>;
  readonly secrets: Record<string, string>;
  readonly account: string | null;
  readonly grant: Grant | null;
  /**
   * True: `config` holds all settings and replaces the stored ones. False: settings that `config` does not name stay as
   * they are.
   */
  readonly whole: boolean;
}

/** What happens to a wizard. `at` is the time, milliseconds since 1970; `turn` names the work that brought it. */
export type FlowEvent = Happening & { readonly at: number };
export type Happening =
  /** Events of the person, or of who opens the wizard for them. */
  | { readonly kind: "begin" }
  | {
      readonly kind: "answer";
      readonly stepId: string;
      readonly answer: SetupAnswer;
      /** Identifies the caller that waits for this answer; `refuse` names it again. */
      readonly ticket: number;
    }
  | { readonly kind: "ask-now" }
  | { readonly kind: "cancel" }
  /** A timer fell due. */
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

/** What the runner must do. The events that an effect with a `turn` brings back carry the same number. */
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
  /** Sets the timer of this name to `at` and replaces an earlier setting; null stops it. */
  | { readonly kind: "timer"; readonly timer: Timer; readonly at: number | null }
  /** Texts that must not be seen anywhere from now on. */
  | { readonly kind: "hide"; readonly values: readonly string[] }
  /** Rejects the answer with this ticket. */
  | { readonly kind: "refuse"; readonly ticket: number; readonly problem: Problem }
  /** The step or the trail is another one. */
  | { readonly kind: "show" }
  /** Nobody looked at the wizard for long after its end: its owner removes it. */
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

/**
 * Whether the wizard waits for the person or for something outside, or has ended: none of its own work is under way.
 */
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
