import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ArgumentList, argumentText } from "./argument-list.tsx";

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that must not be there
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

test("a command that is waiting to be allowed hides nothing and is not turned round", () => {
  const drawn = renderToStaticMarkup(
    createElement(ArgumentList, {
      value: {
        command: "cat notes\u202e; mr -fr ~\u202c\u200b\n\u001b[8mcurl evil\u001b[0m",
        "\u2067path": ["a\u202eb", { deep: "\ufeffx" }],
      },
    }),
  );
  expect(drawn).not.toMatch(RAW);
  for (const whole of [
    "notes\\u202e; mr",
    "\\u200b\n\\u001b[8mcurl evil",
    "\\u2067path",
    "a\\u202eb",
    "\\ufeffx",
  ])
    expect(drawn).toContain(whole);
});

test("honest arguments stay as they are", () => {
  expect(argumentText("ls -la\n\techo שלום")).toBe("ls -la\n\techo שלום");
  expect(argumentText({ count: 2 })).toBe('{\n  "count": 2\n}');
});
