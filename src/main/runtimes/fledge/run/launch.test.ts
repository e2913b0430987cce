import { describe, expect, test } from "vitest";
import { argumentsOf, launchOf, type Machine } from "./launch.ts";

const script = (interpreter: string) => ({ kind: "script" as const, interpreter, crlf: false });
const program = "C:\\Users\\Ada Lovelace\\plugins\\x\\bin\\tool";

/** A Windows machine on which these programs are found. */
function windows(found: Record<string, string>): Machine {
  return {
    platform: "win32",
    env: { ProgramFiles: "D:\\Programs", ComSpec: "C:\\Windows\\system32\\cmd.exe" },
    find: async (name) => found[name] ?? null,
  };
}

describe("on Windows", () => {
  const git = "D:\\Programs\\Git\\bin\\bash.exe";

  test.each([
    ["#!/usr/bin/env bash", { [git]: git }, [git, program]],
    ["#!/bin/sh", { "sh.exe": "C:\\tools\\sh.exe" }, ["C:\\tools\\sh.exe", program]],
    ["#!/usr/bin/env python3", { "py.exe": "C:\\Windows\\py.exe" }, ["C:\\Windows\\py.exe", "-3", program]],
    ["#!/usr/bin/python3", { "python.exe": "C:\\Py\\python.exe" }, ["C:\\Py\\python.exe", program]],
    ["#!/usr/bin/env -S node --no-warnings", { "node.exe": "C:\\n\\node.exe" }, ["C:\\n\\node.exe", program]],
  ])("a script with %s is run by what that means there", async (line, found, expected) => {
    const launch = await launchOf(program, script(line.slice(2)), windows(found));
    expect([launch.file, ...argumentsOf(launch, [])]).toEqual(expected);
  });

  test("a script without a first line is run by Git's shell, arguments behind it", async () => {
    const launch = await launchOf(program, { kind: "text" }, windows({ [git]: git }));
    expect(argumentsOf(launch, ["a b", "%PATH%"])).toEqual([program, "a b", "%PATH%"]);
  });

  test("a missing interpreter is named, with what to install", async () => {
    await expect(launchOf(program, script("/usr/bin/env bash"), windows({}))).rejects.toMatchObject({
      code: "PROGRAM_MISSING",
      message: "tool needs bash, which is not on this machine.",
      help: "Install Git for Windows, then try again.",
    });
    await expect(launchOf(program, script("/usr/bin/env ruby"), windows({}))).rejects.toThrow(
      "tool needs ruby",
    );
  });

  test("a compiled program is run as it is", async () => {
    expect(await launchOf(`${program}.exe`, { kind: "binary", misfit: null }, windows({}))).toEqual({
      file: `${program}.exe`,
      args: [],
    });
  });

  test("a batch file is run by the shell, quoted whole", async () => {
    const launch = await launchOf(`${program}.CMD`, { kind: "text" }, windows({}));
    expect(launch.file).toBe("C:\\Windows\\system32\\cmd.exe");
    expect(argumentsOf(launch, ["two words", "x"])).toEqual([
      "/d",
      "/s",
      "/c",
      `""${program}.CMD" "two words" "x""`,
    ]);
  });

  test.each(['say "hi"', "%PATH%", "a & calc", "a\nb", "x^y", "!v!", ">f"])(
    "a batch file is not given %j, to which the shell gives a meaning",
    async (text) => {
      const launch = await launchOf("C:\\p\\tool.bat", { kind: "text" }, windows({}));
      expect(() => argumentsOf(launch, ["fine", text])).toThrow(
        expect.objectContaining({ code: "ARGUMENTS_INVALID" }),
      );
    },
  );
});

test("elsewhere the system reads the first line itself", async () => {
  const machine: Machine = { platform: "linux", env: {}, find: async () => null };
  expect(await launchOf("/p/tool", script("/usr/bin/env nosuch"), machine)).toEqual({
    file: "/p/tool",
    args: [],
  });
});
