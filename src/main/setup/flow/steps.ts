import { randomUUID } from "node:crypto";
import { PatchbayError, type SetupStep, type SetupStepKind } from "../../../contract/index.ts";

/** Which step may follow which. This table is the wizard; everything else only fills its steps. */
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

/** Where one wizard stands. */
export class SetupMachine {
  #step: SetupStep;
  readonly #trail: { kind: SetupStepKind; title?: string }[] = [];
  readonly #changed: () => void;

  constructor(first: StepDraft, changed: () => void) {
    this.#step = withId(first);
    this.#changed = changed;
  }

  get step(): SetupStep {
    return this.#step;
  }

  get trail(): readonly { kind: SetupStepKind; title?: string }[] {
    return this.#trail;
  }

  /** Shows another step under a new id. @throws PatchbayError INTERNAL when it may not follow the one that is shown */
  move(next: StepDraft): void {
    const { kind, title } = this.#step;
    if (!successors[kind].includes(next.kind)) {
      throw new PatchbayError("INTERNAL", `The setup cannot go from "${kind}" to "${next.kind}".`);
    }
    if (visible.has(kind) && next.kind !== kind) this.#trail.push({ kind, ...(title && { title }) });
    this.#step = withId(next);
    this.#changed();
  }

  /** It begins anew: what was done before does not count any more. */
  forgetTrail(): void {
    this.#trail.length = 0;
  }

  /** Changes what the shown step says; it stays the same step. Does nothing when another kind is shown. */
  amend<Kind extends SetupStepKind>(
    kind: Kind,
    patch: Partial<Omit<Extract<SetupStep, { kind: Kind }>, "id" | "kind">>,
  ): void {
    if (this.#step.kind !== kind) return;
    this.#step = { ...this.#step, ...patch } as SetupStep;
    this.#changed();
  }

  /** The shown step, if an answer is meant for it. @throws PatchbayError SETUP_STALE */
  answered(stepId: string): SetupStep {
    if (this.#step.id === stepId) return this.#step;
    throw new PatchbayError("SETUP_STALE", "This step of the setup is over; another one is shown now.", {
      details: { yours: stepId, current: this.#step.id, kind: this.#step.kind },
    });
  }
}

function withId(draft: StepDraft): SetupStep {
  return { ...draft, id: randomUUID() } as SetupStep;
}
