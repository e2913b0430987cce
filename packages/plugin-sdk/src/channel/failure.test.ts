import { expect, it } from "vitest";
import { failureOf } from "./failure.ts";

it("an error without a word gets one, so that no sentence ends in nothing", () => {
  const late = Object.assign(new Error(""), { name: "TimeoutError" });
  expect(failureOf(late)).toMatchObject({ kind: "offline", message: "The server stopped answering." });
  expect(failureOf(new Error(""))).toMatchObject({ kind: "offline", message: "Nothing says why." });
  expect(failureOf(new Error("no such host")).message).toBe("no such host");
});
