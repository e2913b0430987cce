import fc from "fast-check";
import { expect, test } from "vitest";
import type { SetupStepKind } from "../../../contract/index.ts";
import { newFlow } from "../flow.ts";
import { type StepDraft, show, successors } from "./steps.ts";

const now = "2026-01-01T00:00:00.000Z";
const poll = { failures: 0, problem: null, nextAt: null };
const drafts: Record<SetupStepKind, StepDraft> = {
  progress: { kind: "progress", doing: "checking" },
  form: { kind: "form", fields: [] },
  menu: { kind: "menu", options: [] },
  settings: { kind: "settings", config: {} },
  external: { kind: "external", shownAt: now, expiresAt: null, poll },
  oauth: { kind: "oauth", way: "browser", ways: [], url: "https://x.test", opened: true, expiresAt: now },
  done: { kind: "done", account: null },
  error: { kind: "error", problem: { code: "SETUP_FAILED", message: "No." }, canRetry: true },
};
const kinds = Object.keys(drafts) as SetupStepKind[];

test("whatever is tried, only steps that may follow each other do, and each has an id of its own", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...kinds), { maxLength: 40 }), (tried) => {
      let { state } = newFlow({ id: "w", displayName: "P", asks: "plugin", at: 0 });
      const old = new Set<string>();
      for (const kind of tried) {
        const before = state.step;
        if (successors[before.kind].includes(kind)) {
          state = show(state, drafts[kind]);
          old.add(before.id);
          expect(state.step.kind).toBe(kind);
        } else {
          expect(() => show(state, drafts[kind])).toThrow(/cannot go/);
        }
        expect(old).not.toContain(state.step.id);
      }
    }),
  );
});

test("a finished setup stays finished", () => {
  expect(successors.done).toEqual([]);
});
