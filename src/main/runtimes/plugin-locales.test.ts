import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readLocales } from "./plugin-locales.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "patchbay-locales-"));
  await mkdir(join(dir, "package", "locales"), { recursive: true });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const read = () => readLocales(join(dir, "package"));
const write = (content: unknown, language = "de") =>
  writeFile(
    join(dir, "package", "locales", `${language}.json`),
    typeof content === "string" ? content : JSON.stringify(content),
  );

test("a package without translations has no words and nothing to warn of", async () => {
  await rm(join(dir, "package", "locales"), { recursive: true });
  expect(await read()).toEqual({ words: {}, warnings: [] });
});

test("texts are read by language, of the languages that Patchbay has", async () => {
  await write({ Server: "Server", "It is {state}.": "Es ist {state}." });
  await write({ Server: "Serveur" }, "fr");
  await write({ Server: "something else" }, "en");
  expect(await read()).toEqual({
    words: { de: { Server: "Server", "It is {state}.": "Es ist {state}." } },
    warnings: [],
  });
});

test.each([
  ["hides characters", "Yes", "Ja\u202e!"],
  ["has an escape of a terminal", "Yes", "\u001b[2JJa"],
  ["is no text", "Yes", { de: "Ja" }],
  ["is empty", "Yes", "  "],
  ["is too long", "Yes", "J".repeat(4_001)],
  ["loses a name", "{host} wants your password.", "Alles gut."],
  ["invents a name", "Yes", "Ja, {host}"],
  ["leads to another page", "See https://good.example/help.", "Siehe https://evil.example/help."],
  ["leads to a page where there was none", "Yes", "Ja, siehe evil.example/login"],
  ["names another account", "Ask @BotFather.", "Frag @BadFather."],
  ["would fit every text", "{a*}: {b*}", "{b*}: {a*}"],
  ["cannot tell its names apart", "It is {a}{b}.", "Es ist {a}{b}."],
  ["looks up too much", "It is {a*}, {b*}, {c*}.", "Es ist {a*}, {b*}, {c*}."],
])("a text that %s is left out, and the rest is kept", async (_what, text, translation) => {
  await write({ [text]: translation, Server: "Server" });
  expect(await read()).toEqual({
    words: { de: { Server: "Server" } },
    warnings: ["One text of locales/de.json cannot be used and stays in English."],
  });
});

test("an address and an account that the English text names may stand in the other one", async () => {
  const texts = {
    "Ask @BotFather, or see https://core.telegram.org/bots.":
      "Siehe https://core.telegram.org/bots oder frag @BotFather.",
  };
  await write(texts);
  expect(await read()).toEqual({ words: { de: texts }, warnings: [] });
});

test("no more than a thousand texts are kept, and of those with names 300", async () => {
  const plain = Array.from({ length: 1_100 }, (_, n) => [`Text ${n}`, `Wort ${n}`]);
  await write(Object.fromEntries(plain));
  const { words, warnings } = await read();
  expect(Object.keys(words.de ?? {})).toHaveLength(1_000);
  expect(warnings).toEqual(["100 texts of locales/de.json cannot be used and stay in English."]);
  const patterns = Array.from({ length: 310 }, (_, n) => [`Text ${n} of {x}`, `Wort ${n} von {x}`]);
  await write(Object.fromEntries(patterns));
  expect(Object.keys((await read()).words.de ?? {})).toHaveLength(300);
});

test.each([
  ["no JSON", "{"],
  ["a list", "[]"],
  ["too large", JSON.stringify({ a: "b".repeat(129 * 1024) })],
])("a file that is %s is left out, with a sentence", async (_what, content) => {
  await write(content);
  const { words, warnings } = await read();
  expect(words).toEqual({});
  expect(warnings).toEqual([
    "The file locales/de.json is left out: it must hold an object of texts, of at most 128 KiB.",
  ]);
});

test("a link that leads out of the package is not followed", async () => {
  await writeFile(join(dir, "outside.json"), JSON.stringify({ Yes: "Ja" }));
  await symlink(join(dir, "outside.json"), join(dir, "package", "locales", "de.json"));
  const { words, warnings } = await read();
  expect(words).toEqual({});
  expect(warnings).toHaveLength(1);
});
