import { expect, it } from "vitest";
import { parseSecrets } from "./index.ts";

const reference = (name: string) => `\${{${name}}}`;

it.each([
  [
    "lines",
    'A=1\nexport B = two words \n\n# no\nC=\'a=b\'\nD="x\\n\\"y\\""\r\n',
    { A: "1", B: "two words", C: "a=b", D: 'x\n"y"' },
  ],
  ["names written as references", `${reference("TOKEN")}=t-1\n\${OTHER}=o`, { TOKEN: "t-1", OTHER: "o" }],
  ["a JSON object", '{"A": "1", "B": {"value": "2", "passThrough": true}}', { A: "1", B: "2" }],
  ["JSON with references", `{"${reference("A")}": "1"}`, { A: "1" }],
])("reads %s", (_name, text, values) => {
  expect(Object.fromEntries(parseSecrets(text))).toEqual(values);
});

it.each([
  ["A=1\nhush-hush no equals", "Line 2 is not of the form NAME=value."],
  ["1A=hush-hush", "Line 1 is not of the form NAME=value."],
  ["A=", "Line 1 is not of the form NAME=value."],
  ['{"A": "hush-hush"', "This begins like JSON, but is none."],
  ['{"A": 5}', "The value of A is not a text."],
  ["# nothing\n", "There is no secret in this text."],
])("refuses %j without repeating a value", (text, message) => {
  expect(() => parseSecrets(text)).toThrowError(expect.objectContaining({ code: "BAD_INPUT", message }));
});
