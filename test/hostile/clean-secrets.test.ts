import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import type { LogEntry } from "../support/hostile.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const token = "tok-Zebra/48151623+QUARTZ";
const MASK = "•••";

/** Says its own secret in every way that it is told to. */
const parrot = `
const text = (said) => ({ content: [{ type: "text", text: said }] });
const wrapped = (said, width) => said.match(new RegExp(".{1," + width + "}", "g")).join("\\n  ");
const any = { type: "object" };
let token = "";
const forms = {
  plain: () => token,
  base64: () => Buffer.from("key: " + token).toString("base64"),
  "wrapped base64": () => wrapped(Buffer.from(token + token + token).toString("base64"), 12),
  wrapped: () => wrapped(token, 9),
  hex: () => Buffer.from(token).toString("hex"),
  "capital hex": () => Buffer.from(token).toString("hex").toUpperCase().replace(/..(?=.)/g, "$&:"),
  percent: () => [...Buffer.from(token)].map((byte) => "%" + byte.toString(16)).join(""),
  json: () => JSON.stringify(JSON.stringify({ token })),
};
export default {
  manifestVersion: 1, key: "parrot", displayName: "Parrot", description: "Repeats its secret.",
  secretKeys: [{ key: "token", label: "Token" }],
  tools: { namespace: "parrot", start: async (config, ctx) => {
    token = ctx.secrets.get(ctx.secrets.names()[0]);
    const tools = [
      { name: "say", description: "It is " + token, parameters: { type: "object", properties: { a: { description: token }, [token]: {} } },
        execute: async ({ form }) => { ctx.logger("log " + forms[form]()); ctx.reportRuntimeState({ [forms[form]()]: form }); return { ...text("say " + forms[form]()), details: { [forms[form]()]: [forms[form]()] } }; } },
      { name: "fail", description: "Fails.", parameters: any, execute: async ({ form }) => { throw Object.assign(new Error("failed with " + forms[form]()), { cause: new Error(forms[form]()), details: { [token]: 1 } }); } },
      { name: "split", description: "Logs in two lines.", parameters: any, execute: async ({ at }) => { ctx.logger("first " + token.slice(0, at)); ctx.logger(token.slice(at) + " last"); return text("ok"); } },
    ];
    return { toolsets: [{ id: "parrot", description: "Knows " + token, tools }], stop: async () => {} };
  } },
};`;

let folder: string;
let app: RunningApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-hostile-"));
  app = await startApp(join(folder, "home"));
  await writePlugin(join(folder, "parrot"), { key: "parrot", files: { "index.js": parrot } });
  await app.cli("plugin", "install", join(folder, "parrot"), "--yes");
  await app.rest("PUT", "/agents/helper/plugins/parrot", { enabled: true, secrets: { token } });
}, 60_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const call = async (tool: string, input: object) =>
  JSON.stringify(await app.rest("POST", `/agents/helper/tools/parrot__${tool}/call`, { input, yes: true }));
const read = async (path: string) => JSON.stringify(await app.rest("GET", `/agents/helper/${path}`));
const logTexts = async () =>
  ((await app.rest("GET", "/agents/helper/plugins/parrot/logs")) as LogEntry[]).map(({ text }) => text);

const bytes = Buffer.from(token);
/** Pieces that would give the token away. */
const telling = [
  token.slice(4, 12),
  token.slice(-8),
  bytes.toString("base64").slice(0, 10),
  bytes.toString("hex").slice(4, 20),
  bytes
    .toString("hex")
    .toUpperCase()
    .replace(/..(?=.)/g, "$&:")
    .slice(6, 30),
  "%6f%6b%2d",
];

function expectNothingTold(shown: string): void {
  for (const piece of telling) expect(shown.toLowerCase()).not.toContain(piece.toLowerCase());
  expect(shown).toContain(MASK);
}

test.each(["plain", "base64", "wrapped base64", "wrapped", "hex", "capital hex", "percent", "json"])(
  "a plugin that repeats its secret as %s tells it neither to the model nor to a screen, a log or its state",
  async (form) => {
    expectNothingTold(await call("say", { form }));
    expectNothingTold(JSON.stringify((await logTexts()).at(-1)));
    const { runtimeState } = JSON.parse(await read("plugins/parrot"));
    expectNothingTold(JSON.stringify(runtimeState));
  },
);

test("an error with the secret in its message, its cause and the names of its fields tells nothing", async () => {
  for (const form of ["plain", "hex", "wrapped"]) expectNothingTold(await call("fail", { form }));
});

test("a description and a schema with the secret tell nothing", async () => {
  expectNothingTold(await read("tools"));
  expectNothingTold(await read("plugins/parrot"));
});

test("of a secret that is cut over two log lines the second part is masked", async () => {
  await call("split", { at: 9 });
  const lines = (await logTexts()).slice(-2);
  expect(lines).toEqual([`first ${token.slice(0, 9)}`, `${MASK} last`]);
});
