import { expect, test } from "vitest";
import { DeltaRedactor } from "./delta-redactor.ts";

const secrets = { redact: (text: string) => text.replaceAll("hunter2hunter2", "•••") };

test("a secret that comes in pieces is never shown", () => {
  const redactor = new DeltaRedactor(secrets);
  const shown = ["The key is hun", "ter2hun", "ter2 and ", "so on."].map((piece) => redactor.push(piece));
  expect([...shown, redactor.flush()]).toEqual(["The key is ", "", "••• and ", "so ", "on."]);
});

test("text without spaces is not held back for ever", () => {
  const redactor = new DeltaRedactor(secrets);
  expect(redactor.push("x".repeat(2_000))).toHaveLength(2_000);
  expect(redactor.push("你好")).toBe("你好");
  expect(redactor.flush()).toBe("");
});

test("of a secret of several words that comes in pieces the later words are masked", () => {
  const redactor = new DeltaRedactor({ redact: (text) => text.replaceAll("correct horse battery", "•••") });
  const shown = ["it is correct ", "horse ", "battery ", "and so on"].map((piece) => redactor.push(piece));
  expect([...shown, redactor.flush()].join("")).toBe("it is correct horse ••• and so on");
});
