import fc from "fast-check";
import { expect, test } from "vitest";
import type { SetupStepKind } from "../../../contract/index.ts";
import { SetupMachine, type StepDraft, successors } from "./steps.ts";

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

test("whatever is tried, only steps that may follow each other do, and an old id is never good", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...kinds), { maxLength: 40 }), (tried) => {
      const machine = new SetupMachine(drafts.progress, () => {});
      const old = new Set<string>();
      for (const kind of tried) {
        const before = machine.step;
        const allowed = successors[before.kind].includes(kind);
        if (allowed) {
          machine.move(drafts[kind]);
          old.add(before.id);
          expect(machine.step.kind).toBe(kind);
        } else {
          expect(() => machine.move(drafts[kind])).toThrow(/cannot go/);
          expect(machine.step).toBe(before);
        }
        expect(machine.answered(machine.step.id)).toBe(machine.step);
        for (const id of old) expect(() => machine.answered(id)).toThrow(/over/);
      }
    }),
  );
});

test("a finished setup stays finished", () => {
  expect(successors.done).toEqual([]);
});
