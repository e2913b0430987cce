import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import catalogue from "../resources/catalog.json" with { type: "json" };
import { isObject } from "../src/contract/is-object.ts";
import { schemaInWords } from "../src/contract/shown/in-words.ts";
import { kitWordsDe } from "../src/contract/shown/kit-words-de.ts";
import { sayer } from "../src/contract/shown/plugin-words.ts";
import { readLocales } from "../src/main/runtimes/plugin-locales.ts";
import { labelOf } from "../src/renderer/model/runtime-values.ts";
import { reportedIn, textsIn } from "./support/plugin-texts.ts";

/** Texts that no person reads: what is said to the model; what is compared; commands to copy. What is said in chats has its German. */
const notOnScreens: readonly RegExp[] = [
  /^docker run /,
  // To the model: what stands before somebody's words
  /^\[(An earlier message\]$|Forwarded from ‹1›\]\n$|A sticker\]$|Location ‹1›|Contact ‹1›|Voice note‹1›, as WeChat understood it\] $)/,
  // Into the log
  /^The Signal server (sent something that is not JSON|sent a message that makes no sense|reports: ‹1›)/,
  /^A message could not be read: ‹1›$/,
  // Names of events, units and options, and lists of words
  /^(raw socket connected|ctcp request|sasl failed|ping timeout|socket close|code points|Patchbay agent)$/,
  /^(bot applications\.commands|active apps archive |if then elif |gzip, deflate)/,
  // Compared, or a part of an answer of the platform
  /^(message is not modified|Request Entity Too Large|Expected token to be set)$/,
];
/**
 * What the toolkit says in chats stands in its words, in both languages. What of a message's files could not be had is told
 * to the model. What is shown of `inbox.ts` and `turn.ts` goes through the state of the channel.
 */
const inChats = /channel\/(words\/(english|german)|attachments|inbox|turn)\.ts$/;

/** Sources whose texts are all told to the model, as the outcome of a call: what a tool says, and why a call was blocked. */
const toTheModel = /^plugins\/(http\/src\/(?!settings|hosts)|guard\/src\/(?!settings))/;

const shownIn = (folder: string) =>
  textsIn(folder).filter(
    ({ file, text }) =>
      !inChats.test(file) && !toTheModel.test(file) && !notOnScreens.some((pattern) => pattern.test(text)),
  );

test("every sentence of the toolkit for channels has its German", () => {
  const say = sayer([kitWordsDe]);
  const parts = new Set(Object.keys(kitWordsDe).flatMap((text) => text.split(/ \(\{\w+\}\)/)));
  const untold = shownIn("packages/plugin-sdk/src/channel").filter(
    ({ text }) => say(text) === text && !parts.has(text),
  );
  expect(untold).toEqual([]);
});

const plugins = readdirSync("plugins");

describe.each(plugins)("%s", (name) => {
  const german = async () => {
    const { words, warnings } = await readLocales(`plugins/${name}`);
    expect(warnings).toEqual([]);
    return words.de ?? {};
  };

  test("says everything that a screen shows in German, too", async () => {
    const own = await german();
    const say = sayer([own, kitWordsDe]);
    const described = textsOf(JSON.parse(readFileSync(`out/plugins/${name}/patchbay.json`, "utf8")));
    const untold = [...described, ...shownIn(`plugins/${name}/src`).map(({ text }) => text)].filter(
      (text) => say(text) === text && own[text] !== text,
    );
    expect([...new Set(untold)]).toEqual([]);
  });

  test("labels what it reports in German, too", async () => {
    const own = await german();
    expect(labelsOf(name).filter((label) => own[label] === undefined)).toEqual([]);
  });

  test("has its German in Discover before it is installed", async () => {
    const say = sayer([await german()]);
    const entry = catalogue.plugins.find(({ key }) => key === name);
    const { description = "", words } = entry ?? {};
    expect(say(description)).not.toBe(description);
    expect(words?.de).toEqual({ [description]: say(description) });
  });

  test("brings no German for what it does not say", async () => {
    const described = textsOf(JSON.parse(readFileSync(`out/plugins/${name}/patchbay.json`, "utf8")));
    const offered = catalogue.plugins.find(({ key }) => key === name)?.description ?? "";
    const said = [
      offered,
      ...described,
      ...labelsOf(name),
      ...textsIn(`plugins/${name}/src`).map(({ text }) => text),
    ].join("\n");
    const sources = sourcesOf(name);
    const stale = Object.keys(await german()).filter((text) => {
      const parts = text.split(/\{\w+\*?\}/).filter((part) => part.trim().length > 2);
      return !parts.every((part) => said.includes(part) || sources.includes(JSON.stringify(part)));
    });
    expect(stale).toEqual([]);
  });
});

/** Descriptions, titles and labels of a described plugin. */
function textsOf(described: { manifest: Record<string, unknown> }): string[] {
  const texts: string[] = [];
  const { configSchema, description } = described.manifest;
  texts.push(String(description));
  const note = (text: string) => {
    texts.push(text);
    return text;
  };
  if (isObject(configSchema)) schemaInWords(configSchema, note);
  for (const part of [described.manifest, described.manifest.channel, described.manifest.tools]) {
    const keys = isObject(part) && Array.isArray(part.secretKeys) ? part.secretKeys : [];
    for (const { label, help, placeholder } of keys as Record<string, string | undefined>[])
      texts.push(...[label, help, placeholder].filter((text) => text !== undefined));
  }
  return texts.filter((text) => /\p{L}{2}/u.test(text) && / |^\p{Lu}/u.test(text));
}

/** The sources of a plugin, for texts of one word. */
function sourcesOf(name: string): string {
  return readdirSync(`plugins/${name}/src`)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(`plugins/${name}/src/${file}`, "utf8"))
    .join("\n");
}

/** Labels of the values that a plugin reports of itself. */
const labelsOf = (name: string) => reportedIn(`plugins/${name}/src`).map(labelOf);
