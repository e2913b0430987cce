import { afterAll, beforeAll, expect, test } from "vitest";
import { errorCatalogue, errorCodes } from "../../../contract/errors.ts";
import { wallsMissing } from "../../../main/platform/walls/required.ts";
import { nothingStands } from "../../../main/platform/walls/wall.ts";
import { germanErrors } from "./de/errors.ts";
import { i18n, startI18n } from "./index.ts";
import { languageOfOriginal, problemLine, problemWords } from "./problem-words.ts";

beforeAll(() => startI18n("de"));
afterAll(() => i18n.changeLanguage("en"));

test.each(errorCodes)("%s has a cause and a next step in both languages", (code) => {
  for (const { cause, help } of [errorCatalogue[code], germanErrors[code]]) {
    expect(cause).toMatch(/^\p{Lu}.*[.]$/u);
    expect(help).toMatch(/^\p{Lu}.*[.]$/u);
  }
  expect(germanErrors[code].cause).not.toBe(errorCatalogue[code].cause);
});

test("no words are kept for a code that does not exist", () => {
  expect(Object.keys(germanErrors).sort()).toEqual([...errorCodes].sort());
});

test("in German the cause and the next step lead, and the core's sentence with its names stands below", () => {
  const message = "Weather needs the secret TOKEN, which is not stored.";
  const { help } = errorCatalogue.MISSING_SECRET;
  expect(problemWords({ code: "MISSING_SECRET", message, help })).toEqual({
    title: "Die Einstellungen verweisen auf ein Geheimnis, das nicht gespeichert ist.",
    help: "Speichern Sie das Geheimnis.",
    original: message,
  });
});

test("in German the names are in the sentence where the problem has them", () => {
  const problem = {
    code: "NEEDS_SETUP",
    message: "Weather is not set up yet: API key, Place are missing.",
    help: errorCatalogue.NEEDS_SETUP.help,
  } as const;
  const details = { plugin: "Weather", lacking: ["API key", "Place"] };
  expect(problemWords({ ...problem, details })).toEqual({
    title: "Weather ist noch nicht eingerichtet, es fehlt: API key, Place.",
    help: germanErrors.NEEDS_SETUP.help,
    original: undefined,
  });
  expect(problemLine({ ...problem, details: { lacking: ["API key"] } })).toBe(germanErrors.NEEDS_SETUP.cause);
});

test("a row that somebody else changed is named in German", () => {
  const problem = {
    code: "STATE_TAMPERED",
    message: "Something other than Patchbay changed what is kept of mailbox, so it was switched off.",
    details: { row: "mailbox" },
  } as const;
  expect(problemLine(problem)).toBe(
    "Etwas anderes als Patchbay hat geändert, was von mailbox aufbewahrt wird. Darum ist es ausgeschaltet.",
  );
});

test("a tool that asks, called by a program that cannot show the question, is named with it in German", () => {
  const message = "kit.echo asks before each call, and Notes cannot show you the question.";
  const asks = { code: "TOOL_ASKS", message } as const;
  expect(problemLine({ ...asks, details: { tool: "kit.echo", program: "Notes" } })).toBe(
    "kit.echo fragt vor jedem Aufruf, und Notes kann Ihnen die Frage nicht zeigen.",
  );
  expect(problemLine(asks)).toBe("Das Werkzeug fragt vor jedem Aufruf, und hier wird niemand gefragt.");
});

test("one line says it in German, unless the sentence is the plugin's own", () => {
  const message = "Mailbox's process ended by itself (signal SIGKILL).";
  expect(problemLine({ code: "HOST_CRASHED", message })).toBe(germanErrors.HOST_CRASHED.cause);
  const own = "The mail server refused the password.";
  expect(problemLine({ code: "START_FAILED", message: own })).toBe(own);
});

test("in English the core's own sentence leads", async () => {
  await i18n.changeLanguage("en");
  expect(problemWords({ code: "MISSING_SECRET", message: "Sentence.", help: "Help." })).toEqual({
    title: "Sentence.",
    help: "Help.",
    original: undefined,
  });
});

test("in German a wrong passphrase, and why no walls stand, are said in German alone", async () => {
  await i18n.changeLanguage("de");
  const wrong = {
    code: "PASSPHRASE_WRONG",
    message: "That is not the passphrase of the stored secrets.",
  } as const;
  expect(problemWords({ ...wrong, help: errorCatalogue.PASSPHRASE_WRONG.help })).toMatchObject({
    title: "Das ist nicht die Passphrase der gespeicherten Geheimnisse.",
    original: undefined,
  });
  const missing = wallsMissing({
    ...nothingStands,
    problem: "bubblewrap is not installed on this machine.",
    help: "Install it: apt install bubblewrap",
    notes: {
      ...nothingStands.notes,
      problem: { code: "bubblewrapMissing" },
      help: { code: "install", name: "apt install bubblewrap" },
    },
  }).toProblem();
  expect(problemWords(missing)).toMatchObject({
    original:
      "bubblewrap ist auf diesem Rechner nicht installiert. Installieren Sie es: apt install bubblewrap",
  });
  expect(languageOfOriginal(missing)).toBeUndefined();
});
