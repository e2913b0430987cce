import type { Problem, SetupAnswer } from "../../../contract/index.ts";
import { checkedValues, notOffered, otherKind, passwordsIn, setupOver, stale } from "./answers.ts";
import { beginAnew, stayAwake } from "./endings.ts";
import { finishForm, save } from "./finishing.ts";
import { ask } from "./polling.ts";
import { changeWay, openAgain, signInAgain } from "./sign-in.ts";
import { type Effect, type FlowState, hide, type Retry, type Transition } from "./state.ts";
import { showProgress } from "./steps.ts";

interface Answered {
  stepId: string;
  answer: SetupAnswer;
  ticket: number;
  at: number;
}

/** The person answers the step that is shown. What it does not take is refused, and the step stays. */
export function answered(before: FlowState, { stepId, answer, ticket, at }: Answered): Transition {
  const { step, phase } = before;
  if (stepId !== step.id || phase.kind === "releasing") return refuse(before, ticket, stale(step, stepId));
  if (phase.kind === "over") return refuse(before, ticket, setupOver());
  const state = stayAwake(before, at);
  const problem = otherKind(step, answer);
  if (problem) return refuse(state, ticket, problem);
  switch (answer.kind) {
    case "values":
      if (step.kind !== "form") break;
      return typed(state, step.fields, answer, ticket);
    case "choice": {
      if (step.kind !== "menu") break;
      const offered = step.options.map(({ value }) => value);
      const wrong = notOffered("the answers that are offered", offered, answer.choice);
      return wrong ? refuse(state, ticket, wrong) : submit(state, { choice: answer.choice });
    }
    case "settings":
      if (step.kind !== "settings") break;
      return finishForm(state, step.config, answer, ticket);
    case "renew":
      if (phase.kind !== "polling") break;
      return ask(state, true);
    case "open":
      if (phase.kind !== "signing-in" || step.kind !== "oauth") break;
      return openAgain(state, phase, step.url);
    case "way": {
      if (phase.kind !== "signing-in" || step.kind !== "oauth") break;
      const wrong = notOffered("the ways to sign in", step.ways, answer.way);
      return wrong ? refuse(state, ticket, wrong) : changeWay(state, phase, answer.way);
    }
    case "retry":
      if (phase.kind !== "failed") break;
      return tryAgain(state, phase.retry);
  }
  // The step is still on the screen, but the next one is being prepared and will replace it.
  return refuse(state, ticket, stale(step, stepId));
}

function typed(
  state: FlowState,
  fields: Parameters<typeof checkedValues>[0],
  answer: Extract<SetupAnswer, { kind: "values" }>,
  ticket: number,
): Transition {
  const checked = checkedValues(fields, answer);
  if ("problem" in checked) return refuse(state, ticket, checked.problem);
  return submit(state, checked.values, hide(passwordsIn(fields, checked.values)));
}

/** Gives the plugin an answer. */
function submit(state: FlowState, input: Record<string, unknown>, first: Effect[] = []): Transition {
  const turn = state.turn + 1;
  return {
    state: { ...showProgress(state, "checking"), turn, phase: { kind: "checking" } },
    effects: [...first, { kind: "submit", turn, input }],
  };
}

function tryAgain(state: FlowState, retry: Retry): Transition {
  switch (retry.kind) {
    case "begin":
      return beginAnew(state);
    case "sign-in":
      return signInAgain(state, retry);
    case "save":
      return save(state, retry.outcome, null);
  }
}

function refuse(state: FlowState, ticket: number, problem: Problem): Transition {
  return { state, effects: [{ kind: "refuse", ticket, problem }] };
}
