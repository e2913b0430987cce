import { expect, test } from "vitest";
import { instanceStateSchema, PatchbayError } from "../../../contract/index.ts";
import { isLive, nextState, type StateSignal } from "./states.ts";

const walk = (...signals: StateSignal[]) =>
  signals.reduce<Parameters<typeof nextState>[0]>((state, signal) => nextState(state, signal), "stopped");

test("a plugin starts, runs and stops", () => {
  expect(walk("start")).toBe("starting");
  expect(walk("start", "started")).toBe("running");
  expect(walk("start", "started", "stop")).toBe("stopping");
  expect(walk("start", "started", "stop", "ended")).toBe("stopped");
});

test("trouble makes it degraded and it can recover", () => {
  expect(walk("start", "started", "troubled", "troubled")).toBe("degraded");
  expect(walk("start", "started", "troubled", "recovered")).toBe("running");
});

test("each way of not starting has its state, from which it can be started or switched off", () => {
  const ends = {
    lacks_setup: "needs_setup",
    start_failed: "failed",
    crashed: "failed",
    gave_up: "quarantined",
  } as const;
  for (const [signal, state] of Object.entries(ends) as [keyof typeof ends, string][]) {
    expect(walk("start", signal)).toBe(state);
    expect(walk("start", signal, "start")).toBe("starting");
    expect(walk("start", signal, "stop")).toBe("stopped");
  }
});

test("what cannot happen is refused", () => {
  expect(() => nextState("stopped", "crashed")).toThrow(PatchbayError);
  expect(() => nextState("stopping", "start")).toThrow('An instance that is stopping cannot take "start".');
});

test("it can be called while it is running or degraded, and never else", () => {
  expect(instanceStateSchema.options.filter(isLive)).toEqual(["running", "degraded"]);
});
