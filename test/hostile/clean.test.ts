import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { auditOf, type LogEntry } from "../support/hostile.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

/** Clears the screen, turns the direction, hides an order in tags, and rings. */
const EVIL = "\u001b[2J\u202egnp\u2066\u200b\u{e0068}\u{e0069}\u009b1m\u0007";
/** The same as it is shown. */
const SHOWN = `␛[2J\ufffdgnp${"\ufffd".repeat(5)}1m␇`;
/** Controls, and all that formats without being seen; ends of lines and tabs are not meant. */
const RAW = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

const painter = (name: string) => `
const evil = ${JSON.stringify(name)};
const text = (said) => ({ content: [{ type: "text", text: said }] });
const any = { type: "object", properties: { a: { type: "string", description: "an a " + evil } } };
export default {
  manifestVersion: 1, key: "painter", displayName: "Painter " + evil, description: "Paints " + evil + "\\nand more",
  configSchema: { type: "object", properties: { tools: { type: "object", properties: { colour: { type: "string", title: "Colour " + evil, description: "Which " + evil } } } } },
  secretKeys: [{ key: "token", label: "Token " + evil, placeholder: "like " + evil, help: "Ask " + evil, optional: true }],
  commands: [{ name: "paint", description: "Paints " + evil, argsHint: "<what> " + evil, run: async () => "painted " + evil }],
  tools: { namespace: "painter", start: async (config, ctx) => {
    ctx.logger("begun " + evil);
    ctx.reportRuntimeState({ mood: "good " + evil, ["key " + evil]: 1 });
    const tools = [
      { name: "paint", label: "Paint " + evil, description: "Paints " + evil, parameters: any, execute: async (input, call) => { call.onUpdate("half " + evil); return text("done " + evil); } },
      { name: "fail", description: "Fails.", parameters: any, execute: async () => { throw new Error("broken " + evil); } },
      { name: "print", description: "Prints.", parameters: any, execute: async () => { console.log("printed " + evil); process.stderr.write("shouted " + evil + "\\n"); ctx.reportRuntimeError("sick " + evil); return text("ok"); } },
      { name: "ask", description: "Asks.", parameters: any, execute: async () => { void ctx.ask.select("Which " + evil, { options: [{ value: "a" + evil, label: "A " + evil }] }); return text("asked"); } },
    ];
    return { toolsets: [{ id: "set " + evil, description: "A set " + evil, tools }], stop: async () => {} };
  } },
};`;

let folder: string;
let app: RunningApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-hostile-"));
  app = await startApp(join(folder, "home"));
  await writePlugin(join(folder, "painter"), {
    key: "painter",
    packageFile: { license: `MIT ${EVIL}`, author: `Somebody ${EVIL}` },
    files: { "index.js": painter(EVIL) },
  });
  await app.cli("plugin", "install", join(folder, "painter"), "--yes");
  await app.rest("PUT", "/agents/helper/plugins/painter", { enabled: true });
}, 60_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string) => app.rest("GET", path);
const call = (tool: string) =>
  app.rest("POST", `/agents/helper/tools/painter__${tool}/call`, { yes: true }) as Promise<object>;

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsOf(item)]);
}

/** Asserts that nothing raw is in any text of the value, and that the attempt is seen as signs. */
function expectClean(value: unknown, shown: string): void {
  const texts = textsOf(value);
  expect(texts.filter((text) => RAW.test(text))).toEqual([]);
  expect(texts.join("\n")).toContain(shown);
}

/** What a command prints; where it asks whether it is the person, it is told the code that the terminal of the app shows. */
async function terminal(...args: string[]): Promise<string> {
  const before = app.codes.count;
  const printed = await printedBy(args);
  if (!/needs your conf/.test(printed)) return printed;
  return printedBy(["--confirm", await app.codes.after(before), ...args]);
}

async function printedBy(args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [
    resolve("bin/patchbay"),
    "--home",
    join(folder, "home"),
    ...args,
  ]);
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

function expectCleanTerminal(printed: string, shown: string): void {
  expect(RAW.exec(printed.replaceAll("\n", ""))).toBeNull();
  expect(printed).toContain(shown);
}

test("a name, a description, labels and a licence paint nothing on the plugin's page", async () => {
  const plugin = await get("/plugins/painter");
  expectClean(plugin, `Painter ${SHOWN}`);
  expect(textsOf(plugin)).toContain(`Paints ${SHOWN} and more`);
  expectClean(plugin, `Token ${SHOWN}`);
  expectClean(plugin, `Colour ${SHOWN}`);
  expectClean(plugin, `MIT ${SHOWN}`);
});

test("tools and commands are listed without what cannot be seen, for the person and for the model", async () => {
  expectClean(await get("/agents/helper/tools"), `Paints ${SHOWN}`);
  expectClean(await get("/agents/helper/commands"), `Paints ${SHOWN}`);
  expectClean(await get("/agents/helper/plugins/painter"), `Paint ${SHOWN}`);
});

test("what a plugin reports of itself is shown clean", async () => {
  await call("print");
  const view = await get("/agents/helper/plugins/painter");
  expectClean(view, `good ${SHOWN}`);
  expectClean(view, `key ${SHOWN}`);
  expectClean(view, `sick ${SHOWN}`);
});

test("log lines show what they would have done, as escapes", async () => {
  const logs = (await get("/agents/helper/plugins/painter/logs")) as LogEntry[];
  const escaped = "\\x1b[2J\\u{202e}gnp\\u{2066}\\u{200b}\\u{e0068}\\u{e0069}\\x9b1m\\x07";
  for (const line of ["begun", "printed", "shouted"]) expectClean(logs, `${line} ${escaped}`);
});

test("an error of a tool is a clean sentence", async () => {
  const { trace: _trace, ...answer } = (await call("fail")) as { trace?: unknown };
  expectClean(answer, `broken ${SHOWN}`);
});

test("a question is a clean question", async () => {
  await call("ask");
  const dialogs = JSON.parse(JSON.stringify(await get("/dialogs"))) as {
    question?: { options?: { value?: string }[] };
  }[];
  // The value of an option is the plugin's own and is not shown.
  for (const { question } of dialogs) for (const option of question?.options ?? []) delete option.value;
  expectClean(dialogs, `Which ${SHOWN}`);
  expectClean(dialogs, `A ${SHOWN}`);
});

test("nothing raw reaches the terminal, whatever is listed, called or read", async () => {
  expectCleanTerminal(await terminal("plugin", "list"), "painter");
  expectCleanTerminal(await terminal("plugin", "info", "painter"), `Painter ${SHOWN}`);
  expectCleanTerminal(await terminal("tool", "list", "--agent", "helper"), `Paints ${SHOWN}`);
  expectCleanTerminal(
    await terminal("tool", "call", "painter__paint", "--agent", "helper", "--yes"),
    `done ${SHOWN}`,
  );
  expectCleanTerminal(
    await terminal("tool", "call", "painter__fail", "--agent", "helper", "--yes"),
    `broken ${SHOWN}`,
  );
  expectCleanTerminal(await terminal("plugin", "logs", "painter", "--agent", "helper"), "begun \\x1b[2J");
  expectCleanTerminal(
    await terminal("--json", "tool", "call", "painter__paint", "--agent", "helper", "--yes"),
    "\\u001b[2J\\u202egnp",
  );
});

test("the audit log names the plugin clean", async () => {
  const events = await auditOf(join(folder, "home"));
  const own = events.filter(({ pluginKey }) => pluginKey === "painter");
  expect(own.length).toBeGreaterThan(0);
  expect(textsOf(own).filter((text) => RAW.test(text))).toEqual([]);
});

test("a package whose manifest is wrong paints nothing with its errors", async () => {
  await writePlugin(join(folder, "wrong"), {
    key: "wrong",
    files: {
      "index.js": `export default { manifestVersion: 1, key: ${JSON.stringify(`a${EVIL}`)}, displayName: 1, tools: {} };`,
    },
  });
  expectCleanTerminal(await terminal("plugin", "install", join(folder, "wrong"), "--yes"), `a${SHOWN}`);
});

test.each([
  ["a name in Cyrillic letters", { displayName: "Тelegram" }, "made to look like “Telegram”"],
  ["a name with a capital I for an l", { displayName: "TeIegram" }, "made to look like “Telegram”"],
  ["a name of two scripts", { displayName: "My Weаther" }, "mixes letters of different scripts"],
  ["a key with a digit for a letter", { displayName: "Chat", key: "s1ack" }, "made to look like “slack”"],
  ["Patchbay's own name in disguise", { displayName: "Pаtchbаy" }, "Pаtchbаy"],
])("a package that disguises itself by %s is refused", async (_what, fields, words) => {
  const key = "key" in fields ? fields.key : "mimic";
  await writePlugin(join(folder, "mimic"), { key, manifest: { ...fields, key } });
  expect(await terminal("plugin", "install", join(folder, "mimic"), "--yes")).toContain(words);
  expect(JSON.stringify(await get("/plugins"))).not.toContain('"mimic"');
});

test("a package that merely has a built-in's name is told from it by its package", async () => {
  const manifest = { displayName: "Guard" };
  await writePlugin(join(folder, "namesake"), { key: "namesake", name: "not-the-guard", manifest });
  await app.cli("plugin", "install", join(folder, "namesake"), "--yes");
  const warning =
    "It calls itself Guard, as something that comes with Patchbay does. It is the package not-the-guard.";
  expect(await get("/plugins/namesake")).toMatchObject({ warnings: [warning] });
});
