import { expect, test } from "vitest";
import { inputSchema, type ServerInput } from "./server/server-file.ts";
import { defaultsOf, settingsSchemaOf } from "./settings.ts";
import { fieldsOf, typedInputs } from "./sign-in/asked-inputs.ts";

const input = (given: { name: string } & Partial<ServerInput>) => inputSchema.parse(given);

const inputs = [
  input({ name: "region", choices: ["eu", "us", "us"], default: "eu" }),
  input({ name: "parts", choices: ["a", "b"], multiple: true, default: "a" }),
  input({ name: "folder", type: "directory", placeholder: "/data" }),
  input({ name: "loud", type: "boolean", default: true }),
  input({ name: "most", type: "number", min: 1, max: 50 }),
  input({ name: "odd", choices: ["x"], default: "y" }),
];

test("each kind of input has its own place in the settings, with a default that fits", () => {
  expect(settingsSchemaOf(inputs)?.properties).toEqual({
    region: { type: "string", enum: ["eu", "us"], title: "region", default: "eu" },
    parts: {
      type: "array",
      items: { type: "string", enum: ["a", "b"] },
      uniqueItems: true,
      title: "parts",
      default: ["a"],
    },
    folder: { type: "string", title: "folder", "x-patchbay": { kind: "folder", placeholder: "/data" } },
    loud: { type: "boolean", title: "loud", default: true },
    most: { type: "number", minimum: 1, maximum: 50, title: "most" },
    odd: { type: "string", enum: ["x"], title: "odd" },
  });
  expect(defaultsOf(inputs)).toEqual({ region: "eu", parts: ["a"], loud: true });
});

test("a wizard asks for each in a control of its kind, which begins with what is set or its default", () => {
  expect(fieldsOf(inputs, { loud: false })).toMatchObject([
    { key: "region", type: "choice", default: "eu" },
    { key: "parts", type: "choices", default: "a" },
    { key: "folder", type: "text", placeholder: "/data" },
    { key: "loud", type: "switch", default: "false" },
    { key: "most", type: "number", min: 1, max: 50 },
    { key: "odd", type: "choice" },
  ]);
  expect(typedInputs(inputs, { region: "us", parts: "a,b", loud: "true", most: 7 })).toEqual({
    region: "us",
    parts: ["a", "b"],
    loud: true,
    most: 7,
  });
});
