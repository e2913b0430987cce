import { beforeAll, describe, expect, it } from "vitest";
import { startI18n } from "../../base/i18n/index.ts";
import { locate, parseSettings, syntaxErrors } from "./json/json-errors.ts";

beforeAll(() => startI18n("en"));

const text = JSON.stringify({ tools: { days: 40, places: ["ok", ""], server: { host: 1 } } }, null, 2);

function marked(path: string[]) {
  const [error] = locate(text, [{ path, message: "wrong" }]);
  return error && { line: error.line, text: text.slice(error.from, error.to), message: error.message };
}

describe("errors in JSON", () => {
  it("stand at the value that they are about", () => {
    expect(marked(["tools", "days"])).toEqual({ line: 3, text: "40", message: "wrong" });
    expect(marked(["tools", "places", "1"])).toEqual({ line: 6, text: '""', message: "wrong" });
    expect(marked(["tools", "server", "host"])).toEqual({ line: 9, text: "1", message: "wrong" });
  });

  it("stand where a missing value should be, and name it", () => {
    expect(marked(["tools", "server", "port"])).toEqual({ line: 8, text: "{", message: "port: wrong" });
    expect(marked(["channel", "token"])).toEqual({ line: 1, text: "{", message: "token: wrong" });
  });

  it("tell the line at which the text stops being JSON", () => {
    expect(syntaxErrors('{\n  "a": 1,\n  "b": nope\n}')).toMatchObject([{ line: 3 }]);
    expect(syntaxErrors('{\n  "a": 1\n')).toMatchObject([{ line: 2 }]);
    expect(syntaxErrors("[1]")).toMatchObject([{ line: 1 }]);
    expect(syntaxErrors(text)).toEqual([]);
  });

  it("leave no text that is not an object as settings", () => {
    for (const other of ["", "[]", "null", "3", "{"]) expect(parseSettings(other)).toBeNull();
    expect(parseSettings("{}")).toEqual({});
  });
});
