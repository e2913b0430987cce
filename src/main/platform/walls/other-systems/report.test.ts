import { afterEach, expect, test } from "vitest";
import { sentenceOf } from "../notes.ts";
import { wallReport } from "../start.ts";
import { chooseBackend } from "./backend.ts";
import { type Found, forgetOther, otherReport, reportOn, wallFailed } from "./report.ts";

const mac: Found = { platform: "darwin", library: "0.0.83", nodeIsNew: true, missing: [], failed: null };

afterEach(() => {
  forgetOther();
  chooseBackend("bubblewrap");
});

test("on macOS the report says what holds, what does not, and that we have not tried it", () => {
  const report = reportOn(mac);
  expect(report).toMatchObject({ stands: true, by: "sandbox-exec (sandbox-runtime 0.0.83)", problem: null });
  const gaps = report.gaps.join(" ");
  for (const words of ["have not tried this on macOS", "can be read", "not limited", "keychain"])
    expect(gaps).toContain(words);
});

test.each<[string, Partial<Found>, string]>([
  ["the library is missing", { library: null }, "@anthropic-ai/sandbox-runtime"],
  ["Node is too old", { nodeIsNew: false }, "22.12"],
  ["the system's program does not work", { missing: ["/usr/bin/sandbox-exec"] }, "/usr/bin/sandbox-exec"],
  ["the wall did not hold", { failed: "It can read what is closed." }, "It can read what is closed."],
])("on macOS nothing stands when %s", (_case, found, words) => {
  const report = reportOn({ ...mac, ...found });
  expect(report).toMatchObject({ stands: false, by: null, gaps: [] });
  expect(report.problem).toContain(words);
  expect(report.help).not.toBeNull();
  expect(report.notes).toMatchObject({
    problem: { code: expect.any(String) },
    help: { code: expect.any(String) },
  });
});

test("each sentence of a report has a name, so that screens can say it in their language", () => {
  const { notes, gaps } = reportOn(mac);
  expect(notes.gaps.map(({ code }) => code)).toEqual([
    "macUntried",
    "macReadable",
    "macPrograms",
    "macServices",
  ]);
  expect(notes.gaps.map(sentenceOf)).toEqual(gaps);
  expect(reportOn({ ...mac, failed: "It can read what is closed." }).notes).toMatchObject({
    problem: { code: "failed", reason: "It can read what is closed." },
    help: { code: "lookAgain" },
  });
});

test("on Windows nothing stands, and the report says why", () => {
  const report = reportOn({ ...mac, platform: "win32" });
  expect(report).toMatchObject({ stands: false, by: null, gaps: [] });
  expect(report.problem).toMatch(/one list of folders to all plugins.*administrator/);
});

test("on Linux what is missing is named by the packages that bring it", () => {
  const report = reportOn({ ...mac, platform: "linux", missing: ["bubblewrap", "socat"] });
  expect(report.command).toBe("sudo apt-get install bubblewrap socat");
});

test.skipIf(process.platform !== "linux")(
  "a wall that did not hold once counts as none until somebody looks again",
  () => {
    chooseBackend("sandbox-runtime");
    expect(wallReport().stands).toBe(true);
    wallFailed("It can signal Patchbay.");
    expect(otherReport()).toMatchObject({ stands: false, problem: "It can signal Patchbay." });
    forgetOther();
    expect(otherReport().stands).toBe(true);
  },
);
