import { expect, test } from "vitest";
import { type DialogQuestion, defaultAnswerOf } from "../../contract/index.ts";
import { fieldLines, formFrom, linkFrom, replyText } from "./form-answers.ts";

const form: Extract<DialogQuestion, { kind: "form" }> = {
  kind: "form",
  message: "Which trip?",
  fields: [
    { type: "text", name: "name", title: "Your name", required: true },
    { type: "number", name: "seats", title: "Seats", required: false, whole: true, default: 2 },
    { type: "boolean", name: "window", title: "At the window", required: false },
    {
      type: "choices",
      name: "extras",
      title: "Extras",
      required: false,
      options: [
        { value: "tea", label: "Tea" },
        { value: "rug", label: "A rug" },
      ],
    },
  ],
};

test("pairs of names or titles and values are a form's answer, over its defaults", () => {
  expect(formFrom(form, "name=Ada; At the window=yes; extras=1,A rug")).toEqual({
    action: "accept",
    values: { name: "Ada", seats: 2, window: true, extras: ["tea", "rug"] },
  });
  expect(formFrom(form, "name=a=b\nseats=many")).toEqual({
    action: "accept",
    values: { name: "a=b", seats: "many" },
  });
  expect(formFrom(form, "decline")).toEqual({ action: "decline" });
  expect(() => formFrom(form, "colour=red")).toThrow("“colour=red” names no field of the form.");
  expect(() => linkFrom("perhaps")).toThrow("The answer must be `finished` or `decline`.");
});

test("a form has a default when its defaults alone fit, and asks for no secret", () => {
  expect(defaultAnswerOf(form)).toBeUndefined();
  const [, seats] = form.fields;
  if (!seats) throw new Error("it has fields");
  expect(defaultAnswerOf({ ...form, fields: [seats] })).toEqual({ action: "accept", values: { seats: 2 } });
  expect(defaultAnswerOf({ ...form, fields: [] })).toBeUndefined();
  expect(defaultAnswerOf({ ...form, fields: [{ ...seats, title: "Your PIN" }] })).toBeUndefined();
});

test("fields and answers are told in words", () => {
  expect(fieldLines(form)).toEqual([
    "    name  Your name (a text)",
    "    seats  Seats (a number, may be left out)",
    "    window  At the window (yes or no, may be left out)",
    "    extras  Extras (any number of options, may be left out)",
    "      1  Tea",
    "      2  A rug",
  ]);
  const values = { name: "Ada", window: false, extras: ["rug"] };
  expect(replyText(form, { action: "accept", values })).toBe(
    "Your name: Ada, At the window: no, Extras: A rug",
  );
  expect(replyText(form, { action: "decline" })).toBe("declined");
});
