import type { SetupView } from "../../../../contract/setup.ts";

/** What closing the dialog means now. */
export type Leaving =
  /** There is nothing to lose. */
  | "cancel"
  /** Something was begun: the person is asked first. */
  | "ask"
  /** The setup is being saved or is done: only the dialog closes. */
  | "hide";

export function leaving(view: SetupView, typed: boolean): Leaving {
  const { step, trail } = view;
  switch (step.kind) {
    case "done":
      return "cancel";
    case "progress":
      if (step.doing === "saving" || step.doing === "starting") return "hide";
      return trail.length > 0 ? "ask" : "cancel";
    case "external":
    case "oauth":
      return "ask";
    case "error":
      return "cancel";
    default:
      return typed || trail.length > 0 ? "ask" : "cancel";
  }
}
