import { expect, test } from "vitest";
import type { RecordEvent } from "../../../../contract/index.ts";
import { byModel } from "./cost.ts";

function answered(model: string, input: number, total?: number): RecordEvent {
  const none = { output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    type: "model_answered",
    turnId: "t",
    seq: 0,
    spanId: "1",
    parentId: "0",
    at: 0,
    model,
    stopReason: "stop",
    usage: { input, output: 5, cacheRead: 2, cacheWrite: 1 },
    ...(total !== undefined && { cost: { ...none, input: total, total } }),
    problem: null,
    response: null,
  };
}

test("calls add up by model, the dearest first, and one without a price is not free", () => {
  const sums = byModel([
    answered("small", 10),
    answered("large", 100, 0.25),
    answered("large", 50, 0.5),
    answered("large", 1),
  ]);
  expect(sums).toEqual([
    { model: "large", calls: 3, input: 160, output: 15, cost: 0.75, unpriced: 1 },
    { model: "small", calls: 1, input: 13, output: 5, cost: 0, unpriced: 1 },
  ]);
});
