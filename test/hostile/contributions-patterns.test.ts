import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { auditOf } from "../support/hostile.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

let folder: string;
let app: RunningApp;

/** Each definition asks for the next one twice: 2 to the power of 40 checks. */
const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => {
    const next = { $ref: `#/$defs/d${at + 1}` };
    return [`d${at}`, { allOf: [next, { type: "object" }, next] }];
  }),
);

const schemas = {
  backtracking: { type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } },
  many: {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`p${at}`, { pattern: `^(a+)+${"x".repeat(at % 7)}$` }]),
    ),
  },
  names: { type: "object", patternProperties: { "^(\\w+\\s?)*$": { type: "string" } } },
  doubled: {
    type: "object",
    allOf: [{ $ref: "#/$defs/d0" }],
    $defs: { ...doubling, d40: { type: "object" } },
  },
  endless: {
    type: "object",
    allOf: [{ $ref: "#/$defs/again" }],
    $defs: { again: { $ref: "#/$defs/again" } },
  },
};

const module = `
const text = (said) => ({ content: [{ type: "text", text: String(said) }] });
const schemas = ${JSON.stringify(schemas)};
const tools = Object.entries(schemas).map(([name, parameters]) => ({ name, description: "Runs.", parameters, readOnly: true, execute: async () => text("ran") }));
export default {
  manifestVersion: 1, key: "slow", displayName: "Slow", description: "Takes its time.",
  configSchema: { type: "object", properties: { tools: { type: "object", properties: { word: { type: "string", pattern: "^(a+)+$" } } } } },
  tools: { namespace: "slow", start: async () => ({ toolsets: [{ id: "slow", description: "Slow.", tools }], stop: async () => {} }) },
};`;

const long = `${"a".repeat(80)}!`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-patterns-"));
  app = await startApp(join(folder, "home"));
  await writePlugin(join(folder, "slow"), { key: "slow", files: { "index.js": module } });
  await app.cli("plugin", "install", join(folder, "slow"), "--yes");
  await app.rest("PUT", "/agents/helper/plugins/slow", { enabled: true });
}, 60_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const call = (tool: string, input: object) =>
  app.rest("POST", `/agents/helper/tools/slow__${tool}/call`, { input, yes: true });

async function expectRefused(tool: string, input: object): Promise<void> {
  // Without a limit this call, and with it everything that the core does, would not end in this test's time.
  expect(await call(tool, input)).toMatchObject({ code: "ARGUMENTS_INVALID" });
  expect(await app.rest("GET", "/agents")).toEqual([expect.objectContaining({ id: "helper" })]);
  await expect
    .poll(async () => (await auditOf(join(folder, "home"))).map((line) => JSON.stringify(line)))
    .toContainEqual(expect.stringContaining(`slow__${tool}`));
}

test("a tool whose pattern backtracks for ever does not hold the core up, and its call is refused", async () => {
  await expectRefused("backtracking", { text: long });
  expect(await call("backtracking", { text: "aaa" })).toMatchObject({ content: [{ text: "ran" }] });
});

test("a tool with hundreds of slow patterns is bounded as a whole", async () => {
  await expectRefused(
    "many",
    Object.fromEntries(Object.keys(schemas.many.properties).map((name) => [name, long])),
  );
});

test("a pattern for the names of fields does not hold the core up", async () => {
  await expectRefused("names", { [`${"word ".repeat(12)}!`.repeat(3)]: 1 });
});

test("a schema that doubles itself at each step does not hold the core up", async () => {
  await expectRefused("doubled", { text: "x" });
});

test("a schema that refers to itself without end does not end the core", async () => {
  const answer = (await call("endless", {})) as { code?: string };
  expect(["ARGUMENTS_INVALID", "TOOL_FAILED"]).toContain(answer.code);
  expect(await app.rest("GET", "/agents")).toHaveLength(1);
});

test("settings whose pattern backtracks for ever are refused", async () => {
  const answer = await app.rest("PUT", "/agents/helper/plugins/slow", { config: { tools: { word: long } } });
  expect(answer).toMatchObject({ code: "CONFIG_INVALID" });
  expect(await app.rest("GET", "/agents")).toHaveLength(1);
});
