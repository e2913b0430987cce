import { expect, test } from "vitest";
import { nextStep, type SlotSituation, type Step } from "./next-step.ts";

const v1 = { fingerprint: "v1", startsOnUse: false, hasObstacle: false };
const onUse = { ...v1, startsOnUse: true };
const idle: SlotSituation = {
  wanted: null,
  running: null,
  candidate: null,
  attempted: null,
  restart: false,
  used: false,
  closed: false,
};
const up = { running: "v1", attempted: "v1" };

const table: [says: string, situation: Partial<SlotSituation>, step: Step][] = [
  ["nothing is wanted and nothing runs", {}, { do: "rest" }],
  ["it is switched on", { wanted: v1 }, { do: "start", afresh: false }],
  ["it runs as wanted", { wanted: v1, ...up }, { do: "nothing" }],
  [
    "it runs with other settings",
    { wanted: { ...v1, fingerprint: "v2" }, ...up },
    { do: "stop", reason: "restart" },
  ],
  [
    "it was stopped for other settings",
    { wanted: { ...v1, fingerprint: "v2" } },
    { do: "start", afresh: false },
  ],
  ["it is switched off", { ...up }, { do: "stop", reason: "disabled" }],
  ["its slot is given up", { ...up, closed: true }, { do: "stop", reason: "shutdown" }],
  [
    "a restart is asked for while it runs",
    { wanted: v1, ...up, restart: true },
    { do: "stop", reason: "restart" },
  ],
  [
    "a restart is asked for after a failure",
    { wanted: v1, attempted: "v1", restart: true },
    { do: "start", afresh: true },
  ],
  ["a restart is asked for of what is switched off", { restart: true }, { do: "rest" }],
  ["it failed and nothing changed", { wanted: v1, attempted: "v1" }, { do: "nothing" }],
  ["it failed and something changed", { wanted: v1, attempted: "v0" }, { do: "start", afresh: true }],
  ["it waits for its first use", { wanted: onUse }, { do: "rest" }],
  ["its first use came", { wanted: onUse, used: true }, { do: "start", afresh: false }],
  [
    "it waits for its first use, but lacks a secret",
    { wanted: { ...onUse, hasObstacle: true } },
    { do: "start", afresh: false },
  ],
  [
    "the tried version is wanted",
    { wanted: v1, running: "v0", attempted: "v0", candidate: "v1" },
    { do: "adopt" },
  ],
  ["the tried version is wanted and nothing runs", { wanted: v1, candidate: "v1" }, { do: "adopt" }],
  ["the tried version is not wanted", { wanted: v1, ...up, candidate: "v2" }, { do: "drop_candidate" }],
  ["a version was tried for what is switched off", { candidate: "v2" }, { do: "drop_candidate" }],
  [
    "a restart is asked for while a tried version waits",
    { wanted: v1, running: "v0", candidate: "v1", restart: true },
    { do: "adopt" },
  ],
];

test.each(table)("when %s", (_says, situation, step) => {
  expect(nextStep({ ...idle, ...situation })).toEqual(step);
});

test("every situation settles within four steps", () => {
  const wants = [null, v1, onUse, { ...v1, fingerprint: "v2" }, { ...onUse, hasObstacle: true }];
  const versions = [null, "v1", "v2"];
  const flags = [false, true];
  for (const wanted of wants) {
    for (const running of versions) {
      for (const candidate of versions) {
        for (const attempted of versions) {
          for (const restart of flags) {
            for (const used of flags) {
              for (const closed of flags) {
                let now: SlotSituation = { wanted, running, candidate, attempted, restart, used, closed };
                const steps: string[] = [];
                for (let step = nextStep(now); ; step = nextStep(now)) {
                  steps.push(step.do);
                  if (step.do === "drop_candidate") now = { ...now, candidate: null };
                  else if (step.do === "stop") now = { ...now, running: null, attempted: null };
                  else break;
                }
                expect(steps.length).toBeLessThanOrEqual(4);
              }
            }
          }
        }
      }
    }
  }
});
