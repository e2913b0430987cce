import { describe, expect, it, test } from "vitest";
import { Output, table } from "./output.ts";

function capture(json: boolean, tty = false, env: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const output = new Output({
    json,
    env,
    stdout: { isTTY: tty, write: (text: string) => out.push(text) > 0 },
    stderr: { write: (text: string) => err.push(text) > 0 },
  });
  return { output, out: () => out.join(""), err: () => err.join("") };
}

describe("what a command prints", () => {
  it("is one document with --json, whatever else it says", () => {
    const { output, out } = capture(true);
    output.line("working");
    output.stream("...");
    output.result({ ok: true }, () => "done");
    expect(JSON.parse(out())).toEqual({ ok: true });
  });

  it("is a failure as a document with --json", () => {
    const { output, out, err } = capture(true);
    output.failure({ code: "NOT_FOUND", message: "Nothing there.", help: "Look elsewhere." });
    expect(JSON.parse(out()).error).toEqual({
      code: "NOT_FOUND",
      message: "Nothing there.",
      help: "Look elsewhere.",
    });
    expect(err()).toBe("");
  });

  it("is a failure as two lines for a person, on stderr", () => {
    const { output, out, err } = capture(false);
    output.failure({ code: "NOT_FOUND", message: "Nothing there.", help: "Look elsewhere." });
    expect(err()).toBe("✗ Nothing there.\n  Look elsewhere.\n");
    expect(out()).toBe("");
  });

  it("has colours at a terminal alone, and not with NO_COLOR", () => {
    const paint = (tty: boolean, env = {}) => capture(false, tty, env).output.paint.good("x");
    expect(paint(true)).toBe("\u001b[32mx\u001b[39m");
    expect(paint(false)).toBe("x");
    expect(paint(true, { NO_COLOR: "1" })).toBe("x");
  });

  it("has columns that line up, colours or not", () => {
    expect(
      table([
        ["\u001b[32ma\u001b[39m", "1"],
        ["long", "2"],
      ]),
    ).toBe("\u001b[32ma\u001b[39m     1\nlong  2");
  });
});

test("nothing that others wrote reaches the terminal raw; our own colours do", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal begin with it
  const ours = /\u001b\[3[129]m/g;
  const evil = "a\u001b[2Jb\u009b1m\u202ec\u001b]0;owned\u0007";
  const shown = "a␛[2Jb\ufffd1m\ufffdc␛]0;owned␇";
  for (const isTTY of [true, false]) {
    const { output, out, err } = capture(false, isTTY);
    output.line(output.paint.good(evil));
    output.note(evil);
    output.failure({ code: "TOOL_FAILED", message: evil, help: `again ${evil}` });
    const said = (text: string) => text.replaceAll(ours, "");
    expect(said(out())).toBe(`${shown}\n`);
    expect(said(err())).toBe(`${shown}\n✗ ${shown}\n  again ${shown}\n`);
  }
  const { output, out } = capture(true);
  output.result({ evil }, () => "");
  expect(out()).toMatch(/^[\n -~]*$/);
  expect(JSON.parse(out())).toEqual({ evil });
});

test("a next step that the sentence above has said already is not said again", () => {
  const { output, err } = capture(false);
  output.failure({ code: "TOOL_FAILED", message: "It failed. Retry it.", help: "Retry it." });
  expect(err()).toBe("✗ It failed. Retry it.\n");
});
