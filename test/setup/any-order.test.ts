import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PatchbayError, type Plugin, type SetupAnswer } from "../../src/contract/index.ts";
import type { SetupPluginState } from "../../src/main/runtimes/runtime.ts";
import { IDLE_MS } from "../../src/main/setup/flow/endings.ts";
import { successors } from "../../src/main/setup/flow/steps.ts";
import type { Outcome } from "../../src/main/setup/persist/keeps-setups.ts";
import { SetupRunner } from "../../src/main/setup/runner.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { ScriptedSetup } from "../support/scripted-setup.ts";

const external = (qrText: string): SetupPluginState => ({
  kind: "awaiting_external",
  instructions: "",
  qrText,
  pollIntervalMs: 100,
});
const state = fc.oneof(
  fc.constant<SetupPluginState>({
    kind: "awaiting_user_input",
    fields: [{ key: "a", label: "A", type: "text" }],
  }),
  fc.constant<SetupPluginState>({ kind: "awaiting_choice", options: [{ value: "x", label: "X" }] }),
  fc.constantFrom("one", "two").map(external),
  fc.constant<SetupPluginState>({ kind: "done", config: {}, account: "ada" }),
  fc.constantFrom("no", "throw").map((message): SetupPluginState => ({ kind: "error", message })),
);
const operation = fc.constantFrom(
  "answer",
  "stale",
  "poll",
  "renew",
  "retry",
  "tick",
  "idle",
  "crash",
  "close",
  "breathe",
);

test("random operations never leave the state machine, lose a finished setup, take a stale answer or leave a process", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(state, { minLength: 1, maxLength: 12 }),
      fc.array(operation, { maxLength: 25 }),
      fc.array(fc.boolean(), { maxLength: 4 }),
      async (states, operations, savingFails) => {
        const clock = new FakeClock();
        const plugins: ScriptedSetup[] = [];
        const saved: Outcome[] = [];
        let finished = 0;
        let turn = 0;
        const next = () => {
          const answer = states[turn++ % states.length] as SetupPluginState;
          if (answer.kind === "done") finished += 1;
          return answer;
        };
        const kinds: string[] = ["progress"];
        const old = new Set<string>();
        const plugin = { manifestKey: "p", displayName: "P" } as Plugin;
        const session: SetupRunner = new SetupRunner({
          agentId: "ada",
          plugin,
          reason: "first",
          input: {},
          steps: {
            open: async () => {
              const opened = new ScriptedSetup(next);
              plugins.push(opened);
              return opened;
            },
          },
          save: async (outcome) => {
            await setImmediate();
            if (savingFails.shift()) throw new PatchbayError("DISK_FULL", "The disk is full.");
            saved.push(outcome);
          },
          start: async () => {},
          signIn: {
            ways: async () => [],
            start: () => Promise.reject(new Error("Nobody signs in here.")),
            forItself: () => Promise.reject(new Error("Nobody signs in here.")),
          },
          openUrl: async () => false,
          hide() {},
          changed: () => void kinds.push(session.view().step.kind),
          forgotten: () => void session.close(),
          clock,
          limitMs: 1_000,
        });
        const pending: Promise<unknown>[] = [session.begin()];
        const submit = (stepId: string, answer: SetupAnswer) => {
          const sent = session.submit(stepId, answer);
          pending.push(sent.catch(() => {}));
          return sent;
        };
        for (const name of operations) {
          const { step } = session.view();
          old.add(step.id);
          if (name === "answer")
            submit(
              step.id,
              step.kind === "menu" ? { kind: "choice", choice: "x" } : { kind: "values", values: { a: "1" } },
            );
          if (name === "renew") submit(step.id, { kind: "renew" });
          if (name === "retry") submit(step.id, { kind: "retry" });
          if (name === "poll") pending.push(session.poll());
          if (name === "tick") clock.advance(1_500);
          if (name === "idle") clock.advance(IDLE_MS);
          if (name === "crash") plugins.at(-1)?.crash();
          if (name === "close") pending.push(session.close());
          if (name === "breathe") for (let ticks = 0; ticks < 6; ticks += 1) await setImmediate();
          if (name === "stale")
            for (const id of old)
              if (id !== session.view().step.id)
                await expect(session.submit(id, { kind: "retry" })).rejects.toMatchObject({
                  code: "SETUP_STALE",
                });
        }
        await Promise.all(pending);
        const isSettling = () =>
          finished > 0 && saved.length === 0 && session.view().step.kind === "external";
        for (let ticks = 0; ticks < 12 || (ticks < 1_000 && isSettling()); ticks += 1) await setImmediate();
        const shown = session.view().step;
        // What was handed over in time is saved, or is offered to be saved again, or was given up by the person.
        const cameLate = shown.kind === "external" && shown.poll.problem !== null;
        if (finished > 0 && saved.length === 0 && !cameLate)
          expect(["error", "progress"].includes(shown.kind) || session.isOver).toBe(true);
        if (shown.kind === "done") expect(saved.length).toBeGreaterThan(0);
        for (const [index, kind] of kinds.entries()) {
          const before = kinds[index - 1];
          if (before && before !== kind)
            expect(successors[before as keyof typeof successors]).toContain(kind);
        }
        await session.close();
        await Promise.all(pending);
        expect(plugins.filter((one) => one.running)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);
