import { expect, test } from "vitest";
import { commandMistake, commandText, endsMistake, readCommand, readServer } from "./server-words.ts";

test.each([
  ["lua-language-server", ["lua-language-server"]],
  ["  node   /opt/ls.js --stdio ", ["node", "/opt/ls.js", "--stdio"]],
  [`"/opt/my server/ls" '--name=a "b"'`, ["/opt/my server/ls", `--name=a "b"`]],
  ["", []],
])("the command %j is read as in a terminal, and written so that it reads the same", (text, parts) => {
  expect(readCommand(text)).toEqual(parts);
  expect(readCommand(commandText(parts))).toEqual(parts);
});

test("every kind of part survives being written and read", () => {
  const parts = ["a b", `"`, "'", `x"y'z w`, "tab\there"];
  expect(readCommand(commandText(parts))).toEqual(parts);
});

test.each([
  ["", "noProgram"],
  [`"a b`, "openQuote"],
  ["./server --stdio", "notPath"],
  ["bin/server", "notPath"],
  [Array.from({ length: 51 }, () => "x").join(" "), "tooLong"],
])("the command %j is refused: %s", (text, why) => {
  expect(commandMistake(text)?.why).toBe(why);
});

test.each(["server", "/opt/server", "C:\\server.exe"])("the program %s is a name or a whole path", (text) => {
  expect(commandMistake(text)).toBeNull();
});

test("ends are taken with and without their dot and star, each once", () => {
  expect(readServer("server --stdio", "ts, *.tsx;.ts  c++")).toEqual({
    command: ["server", "--stdio"],
    files: [".ts", ".tsx", ".c++"],
  });
});

test.each([
  [" , ", "noEnds"],
  [".d.ts", "notEnd"],
  ["main.rs", "notEnd"],
])("the ends %j are refused: %s", (text, why) => {
  expect(endsMistake(text)?.why).toBe(why);
  expect(readServer("server", text)).toBeNull();
});
