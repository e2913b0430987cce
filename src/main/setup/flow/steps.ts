import {
  PatchbayError,
  type SetupAbout,
  type SetupStep,
  type SetupStepKind,
} from "../../../contract/index.ts";
import type { SetupPluginState } from "../../runtimes/runtime.ts";
import type { SignInRequest } from "../oauth/types.ts";
import type { FlowState, SignInPage } from "./state.ts";

/** Which step may follow which on the screen. */
export const successors: Readonly<Record<SetupStepKind, readonly SetupStepKind[]>> = {
  progress: ["progress", "form", "menu", "settings", "external", "oauth", "done", "error"],
  form: ["progress", "error"],
  menu: ["progress", "error"],
  settings: ["progress", "error"],
  external: ["progress", "external", "form", "menu", "oauth", "error"],
  oauth: ["progress", "oauth", "error"],
  error: ["progress"],
  done: [],
};

/** Steps that the person has a part in; they stay in the list at the side. */
const visible: ReadonlySet<SetupStepKind> = new Set(["form", "menu", "settings", "external", "oauth"]);

type WithoutId<Step> = Step extends SetupStep ? Omit<Step, "id"> : never;
/** A step that has not been shown yet. */
export type StepDraft = WithoutId<SetupStep>;
type Doing = Extract<SetupStep, { kind: "progress" }>["doing"];

/** Shows another step under a new id. @throws PatchbayError INTERNAL when it may not follow the one that is shown */
export function show(state: FlowState, next: StepDraft): FlowState {
  const { kind, title } = state.step;
  if (!successors[kind].includes(next.kind)) {
    throw new PatchbayError("INTERNAL", `The setup cannot go from "${kind}" to "${next.kind}".`);
  }
  const passed = visible.has(kind) && next.kind !== kind;
  const shown = state.shown + 1;
  return {
    ...state,
    shown,
    step: withId(state.id, shown, next),
    trail: passed ? [...state.trail, { kind, ...(title && { title }) }] : state.trail,
  };
}

/** Shows that work is under way; keeps the present step when it says the same already. */
export function showProgress(state: FlowState, doing: Doing): FlowState {
  const { step } = state;
  if (step.kind === "progress" && step.doing === doing) return state;
  return show(state, { kind: "progress", doing });
}

/** Changes what the shown step says; it stays the same step. Does nothing when another kind is shown. */
export function amend<Kind extends SetupStepKind>(
  state: FlowState,
  kind: Kind,
  patch: Partial<Omit<Extract<SetupStep, { kind: Kind }>, "id" | "kind">>,
): FlowState {
  if (state.step.kind !== kind) return state;
  return { ...state, step: { ...state.step, ...patch } as SetupStep };
}

export function withId(wizard: string, number: number, draft: StepDraft): SetupStep {
  return { ...draft, id: `${wizard}.${number}` } as SetupStep;
}

type Said<Kind extends SetupPluginState["kind"]> = Extract<SetupPluginState, { kind: Kind }>;

/** The page for what a plugin asks. */
export function formStep(said: Said<"awaiting_user_input">): StepDraft {
  const { fields, problem, page, copy } = said;
  return {
    ...headingOf(said),
    kind: "form",
    fields,
    ...(problem && { problem }),
    ...(page && { page }),
    ...(copy && { copy }),
  };
}

export function menuStep(said: Said<"awaiting_choice">): StepDraft {
  return { ...headingOf(said), kind: "menu", options: said.options };
}

/** The page that shows what the plugin waits for. @param at milliseconds since 1970 */
export function externalStep(said: Said<"awaiting_external">, at: number): StepDraft {
  const { qrText, redirectUrl, code, attempt, expiresInMs } = said;
  return {
    ...headingOf(said),
    kind: "external",
    ...(qrText !== undefined && { qrText }),
    ...(redirectUrl !== undefined && { redirectUrl }),
    ...(code !== undefined && { code }),
    ...(attempt && { attempt }),
    shownAt: new Date(at).toISOString(),
    expiresAt: expiresInMs === undefined ? null : new Date(at + expiresInMs).toISOString(),
    poll: { failures: 0, problem: null, nextAt: null },
  };
}

export function signInStep(request: SignInRequest, page: SignInPage): StepDraft {
  const { way, ways, url, userCode, expiresAt } = page;
  return {
    ...headingOf(request),
    kind: "oauth",
    way,
    ways,
    url,
    opened: false,
    ...(userCode !== undefined && { userCode }),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

/** What the wizard's frame shows of a plugin's state. */
function headingOf(said: {
  title?: string;
  instructions?: string;
  steps?: string[];
  step?: number;
  about?: SetupAbout;
}) {
  const { title, instructions, steps, step, about } = said;
  return {
    ...(title && { title }),
    ...(instructions && { instructions }),
    ...(steps && { steps }),
    ...(step !== undefined && { step }),
    ...(about && { about }),
  };
}
