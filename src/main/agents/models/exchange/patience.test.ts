import { expect, test } from "vitest";
import { PatchbayError } from "../../../../contract/index.ts";
import { waitBefore } from "./patience.ts";

const problem = (code: "MODEL_BUSY" | "MODEL_BROKEN" | "MODEL_CUT" | "MODEL_KEY_REFUSED", retryAt?: number) =>
  new PatchbayError(code, "x", {
    ...(retryAt !== undefined && { details: { retryAt: new Date(retryAt).toISOString() } }),
  }).toProblem();

test("a busy provider is asked again after the time that it named, and else after ever longer ones", () => {
  expect(waitBefore(problem("MODEL_BUSY", 12_000), 1, 0)).toBe(12_000);
  expect(waitBefore(problem("MODEL_BUSY", 0), 1, 5_000)).toBe(500);
  expect([1, 2, 3, 4, 5].map((attempt) => waitBefore(problem("MODEL_BUSY"), attempt, 0))).toEqual([
    2_000,
    4_000,
    8_000,
    16_000,
    null,
  ]);
});

test("nobody is kept waiting for more than two minutes by itself", () => {
  expect(waitBefore(problem("MODEL_BUSY", 120_000), 1, 0)).toBe(120_000);
  expect(waitBefore(problem("MODEL_BUSY", 120_001), 1, 0)).toBeNull();
});

test("a fault and a cut connection are tried again twice, and what stays wrong not at all", () => {
  expect([1, 2, 3].map((attempt) => waitBefore(problem("MODEL_BROKEN"), attempt, 0))).toEqual([
    1_000,
    2_000,
    null,
  ]);
  expect([1, 2, 3].map((attempt) => waitBefore(problem("MODEL_CUT"), attempt, 0))).toEqual([
    500,
    1_000,
    null,
  ]);
  expect(waitBefore(problem("MODEL_KEY_REFUSED"), 1, 0)).toBeNull();
});
