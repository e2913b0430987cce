import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { scopeOutsideTurns } from "../../src/main/runtimes/plugin-call.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld, textOf } from "../support/pool-world.ts";
import { manifestSource, Packages, toolsSource } from "./packages.ts";

let world: PoolWorld;
const packages = new Packages();

afterAll(async () => {
  await packages.remove();
});
beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.pool.boot();
});
afterEach(() => world.close());

/** Installs a package with this source, switches it on, and resolves with what its card warns of. */
async function started(source: string, pkg: object = {}): Promise<readonly string[]> {
  const plugin = await world.describe(await packages.write("probe", { "index.js": source }, pkg));
  await world.registry.put(plugin);
  await world.enable("ada", "probe");
  return plugin.warnings;
}

const log = () => world.logTexts("ada", "probe");
const view = () => world.pool.view("ada", "probe");
const offered = () => world.pool.live("ada").tools;

describe("fields of a manifest that Patchbay does not know", () => {
  const source = manifestSource(
    "probe",
    `tool: {}, title: "Probe", colour: "red", permission: {},
    secretKeys: [{ key: "TOKEN", label: "Token", sendOnlyTo: ["example.com"], optional: true }],
    commands: [{ name: "flip", description: "Flips.", run: () => "", usage: "[times]" }],
    hooks: { events: ["turn.end@v1"], require: true, start: () => ({ stop() {} }) },
    ${toolsSource("probe", "", 'prefix: "p", helper() {},')}`,
  );
  const sentences = [
    "The manifest has a field `tool` that Patchbay does not know; it is ignored.",
    "The manifest has a field `title` that Patchbay does not know; it is ignored.",
    "The manifest has a field `colour` that Patchbay does not know; it is ignored.",
    "The manifest has a field `permission` that Patchbay does not know; it is ignored. Perhaps `permissions` is meant.",
    "The manifest has a field `tools.prefix` that Patchbay does not know; it is ignored.",
    "The manifest has a field `hooks.require` that Patchbay does not know; it is ignored. Perhaps `required` is meant.",
    "The manifest has a field `commands[0].usage` that Patchbay does not know; it is ignored. Perhaps `argsHint` is meant.",
    "The manifest has a field `secretKeys[0].sendOnlyTo` that Patchbay does not know; it is ignored. Perhaps `sentOnlyTo` is meant.",
  ];

  test("are told on the card and in the log, each with the field that was probably meant, and refuse nothing", async () => {
    expect(await started(source)).toEqual(sentences);
    expect(view().state).toBe("running");
    expect(log().filter((text) => text.startsWith("The manifest has a field"))).toEqual(sentences);
  });

  test("are told by `patchbay-plugin describe`, and in what it writes", async () => {
    const dir = await packages.write("probe", { "index.js": source });
    const command = resolve("packages/plugin-sdk/src/describe/command.ts");
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [command, "describe", dir]);
    expect(stdout).toContain("patchbay.json");
    expect(stderr.trim().split("\n")).toEqual(sentences);
    expect(await world.runtime.inspect({ kind: "folder", dir })).toMatchObject({ warnings: sentences });
  });

  test("say which capability was meant where there is none", async () => {
    const dir = await packages.write("probe", {
      "index.js": manifestSource("probe", "tool: { start() {} }"),
    });
    await expect(world.describe(dir)).rejects.toThrow("Perhaps `tool` is meant to be `tools`.");
  });
});

test("`engines` that are not met here are told on the card", async () => {
  const engines = { node: ">=99", npm: ">=99" };
  expect(await started(manifestSource("probe", toolsSource("probe", "")), { engines })).toEqual([
    `The package says that it needs Node >=99, but here it runs with ${process.versions.node}.`,
  ]);
  expect(view().state).toBe("running");
});

test.each([
  ["type", '{ a: { type: "strng" } }', "`properties.a.type` must be equal to one of the allowed values"],
  ["pattern", '{ a: { type: "string", pattern: "(" } }', "`(` is no pattern"],
  ["reference", '{ a: { $ref: "#/$defs/gone" } }', "`#/$defs/gone` in it refers to nothing"],
])(
  "a tool with a broken schema (%s) refuses its plugin alone, with the tool and the place",
  async (name, properties, why) => {
    const tool = (own: string, fields: string) =>
      `{ name: "${own}", parameters: { type: "object", properties: ${fields} }, execute: () => "well" },`;
    const tools = tool("fine", '{ a: { type: "string" } }') + tool(name, properties);
    await started(manifestSource("probe", toolsSource("probe", tools)));
    const message = `\`parameters\` is no schema that arguments can be checked against, of the tool \`${name}\`: ${why}. The plugin's author must correct that.`;
    expect(view()).toMatchObject({ state: "failed", reason: { code: "MANIFEST_INVALID", message } });
    expect(offered()).toEqual([]);
    expect(log().join("\n")).toContain(message);
    await world.registry.put(
      await world.describe(
        await packages.write("other", {
          "index.js": manifestSource("other", toolsSource("other", tool("fine", "{}"))),
        }),
      ),
    );
    expect(await world.enable("ada", "other")).toMatchObject({ state: "running" });
    expect(textOf(await world.call("ada", "other__fine"))).toBe("well");
  },
);

test("all tools with a broken schema are named at once, and references inside a schema are followed", async () => {
  const schemas = [
    ["required", '{ type: "object", required: "a" }'],
    ["gone", '{ type: "object", properties: { a: { $ref: "#/$defs/gone" } } }'],
    [
      "fine",
      '{ type: "object", properties: { a: { $ref: "#/$defs/b" } }, $defs: { b: { type: "string" } } }',
    ],
  ];
  const tools = schemas.map(([name, schema]) => `{ name: "${name}", parameters: ${schema}, execute() {} },`);
  await started(manifestSource("probe", toolsSource("probe", tools.join(""))));
  const { reason } = view();
  expect(reason?.message).toContain("of the tool `required`: `required` must be array; of the tool `gone`: ");
  expect(reason?.message).not.toContain("`fine`");
});

test("MCP's `inputSchema` is taken for `parameters`, and other fields of a tool are told with what was meant", async () => {
  const schema = '{ type: "object", properties: { sides: { type: "integer" } }, required: ["sides"] }';
  const tools = `
    { name: "roll", title: "Roll", inputSchema: ${schema}, annotations: { readOnlyHint: true }, cache: new Map(), execute: ({ sides }) => String(sides) },
    { name: "raw", inputSchema: { sides: 1 }, execute: () => "" },`;
  await started(manifestSource("probe", toolsSource("probe", tools)));
  expect(offered().find(({ name }) => name === "probe__roll")?.parameters).toMatchObject({
    required: ["sides"],
  });
  expect(log().filter((text) => text.startsWith("The tool"))).toEqual([
    "The tool `roll` has a field `title` that Patchbay does not know; it is ignored. Perhaps `label` is meant.",
    "The tool `roll` has `inputSchema` and no `parameters`; it is taken for them.",
    "The tool `roll` has a field `annotations` that Patchbay does not know; it is ignored. Perhaps `readOnly` is meant.",
    "The tool `raw` has `inputSchema`, which is no JSON Schema of an object; it is ignored, so the tool takes no arguments. `parameters` is meant.",
  ]);
});

test("a tool without `execute` says which of its fields was probably meant", async () => {
  await started(manifestSource("probe", toolsSource("probe", '{ name: "roll", handler: () => "" }')));
  expect(view()).toMatchObject({
    state: "failed",
    reason: { message: expect.stringContaining("Perhaps `execute` is meant.") },
  });
});

test("a veto that is declared and never subscribed to is told, until it is subscribed", async () => {
  const hooks = `hooks: { events: ["tool.before@v1", "turn.end@v1"], start(config, ctx) { subscribe = () => ctx.on("tool.before@v1", () => ({ allow: true })); return { stop() {} }; } }`;
  const tool = '{ name: "late", execute: () => { subscribe(); return "done"; } }';
  await started(manifestSource("probe", `${toolsSource("probe", tool)}, ${hooks}`, "let subscribe;"));
  const sentence =
    "The hook on tool.before@v1 forbids nothing: the package declares it, but has not subscribed to it.";
  expect(view().contributions?.leftOut).toEqual([sentence]);
  expect(log()).toContain(sentence);
  await world.call("ada", "probe__late");
  await world.until(() => view().contributions?.leftOut === undefined);
});

test("a required veto that is never subscribed to refuses what it would check, and that is said", async () => {
  const hooks = `hooks: { events: ["tool.before@v1", "turn.end@v1"], required: true, start(config, ctx) { subscribe = () => ctx.on("tool.before@v1", () => ({ allow: true })); return { stop() {} }; } }`;
  const tool = '{ name: "late", execute: () => { subscribe(); return "done"; } }';
  await started(manifestSource("probe", `${toolsSource("probe", tool)}, ${hooks}`, "let subscribe;"));
  const sentence =
    "The hook on tool.before@v1 is required and nothing answers it, so what it would check is refused: the package declares it, but has not subscribed to it.";
  expect(view()).toMatchObject({ state: "running", contributions: { leftOut: [sentence] } });
  expect(log()).toContain(sentence);
  expect(world.pool.required("ada")).toEqual([
    { owner: "probe", events: ["tool.before@v1"], unsubscribed: true },
  ]);
  await world.call("ada", "probe__late");
  await world.until(() => view().contributions?.leftOut === undefined);
  expect(world.pool.required("ada")).toEqual([]);
});

describe("an answer that is no plain data fails with a sentence, and is not `{}`:", () => {
  const cases = [
    ["async_generator", "(async function* () { yield 1; })()", "an async generator"],
    ["generator", "(function* () { yield 1; })()", "a generator"],
    ["map", "new Map([[1, 2]])", "an object of the kind Map"],
    ["response", 'new Response("text")', "an object of the kind Response"],
    ["function", "() => 1", "a function"],
    ["in_content", "({ content: [new Map()] })", "an object of the kind Map"],
  ] as const;

  test.each(cases)("%s", async (name, value, kind) => {
    const commands = `commands: [{ name: "${name}", description: "Answers.", run: () => ${value} }]`;
    const tool = `{ name: "${name}", execute: async () => ${value} }`;
    await started(manifestSource("probe", `${toolsSource("probe", tool)}, ${commands}`));
    const said = `The plugin returned ${kind}, which is no result. It must return a text, or`;
    await expect(world.call("ada", `probe__${name}`)).rejects.toThrow(said);
    const call = { kind: "command", name, args: "" } as const;
    const scope = scopeOutsideTurns(new AbortController().signal, 30_000);
    await expect(world.pool.call("ada", "probe", call, scope)).rejects.toThrow(said);
  });

  test("an Error that is returned, and not thrown, is the failure", async () => {
    const tool = '{ name: "roll", execute: () => new Error("no dice") }';
    await started(manifestSource("probe", toolsSource("probe", tool)));
    await expect(world.call("ada", "probe__roll")).rejects.toMatchObject({ message: "no dice" });
  });

  test("plain values are their JSON as before", async () => {
    const tools = `{ name: "object", execute: () => ({ a: [1] }) }, { name: "date", execute: () => new Date(0) }, { name: "nothing", execute() {} }`;
    await started(manifestSource("probe", toolsSource("probe", tools)));
    expect(textOf(await world.call("ada", "probe__object"))).toBe('{"a":[1]}');
    expect(textOf(await world.call("ada", "probe__date"))).toBe('"1970-01-01T00:00:00.000Z"');
    expect(textOf(await world.call("ada", "probe__nothing"))).toBe("");
  });
});

test("a channel's answers in another shape are understood or told: a Response, bytes, a sending that says nothing", async () => {
  const channel = `channel: { start: () => ({ name: "probe", stop() {},
    handleWebhook: ({ headers }) => headers.kind === "bytes" ? { status: 201, body: new TextEncoder().encode("bytes") } : new Response("well", { status: 202, headers: { "x-a": "b" } }),
    outbound: { channel: "probe", send() {} } }) }`;
  await started(manifestSource("probe", channel));
  const scope = () => scopeOutsideTurns(new AbortController().signal, 30_000);
  const webhook = (kind: string) => {
    const request = { headers: { kind }, rawBody: new Uint8Array() };
    return world.pool.call("ada", "probe", { kind: "webhook", request }, scope());
  };
  expect(await webhook("bytes")).toEqual({ status: 201, body: "bytes" });
  expect(await webhook("response")).toMatchObject({ status: 202, body: "well", headers: { "x-a": "b" } });
  const message = { sessionId: "s", to: "x", text: "y" };
  expect(await world.pool.call("ada", "probe", { kind: "send", message }, scope())).toEqual({
    success: false,
    error: expect.stringContaining("did not say whether the message was sent"),
  });
});

describe("the documents", () => {
  const page = (name: string) => readFile(resolve(name), "utf8");

  test("say of `readOnly`, of what a combined plugin waits for, and of Discover's keyword what is so", async () => {
    const guide = await page("docs/writing-a-plugin.md");
    expect(guide).toMatch(
      /built-in and official plugins alone: your tools are asked\s+about before each call, `readOnly` or not/,
    );
    expect(guide).toMatch(
      /a plugin with\s+a channel offers its tools only when the channel's `start` has resolved/,
    );
    const [, keyword = ""] =
      /pluginKeyword = "([^"]+)"/.exec(await page("src/main/catalog/search/registry-search.ts")) ?? [];
    expect(keyword).not.toBe("");
    expect(guide).toContain(`"keywords": ["${keyword}"]`);
  });

  test("name one Node version, that of the package.json", async () => {
    const { engines } = JSON.parse(await page("package.json"));
    for (const name of ["README.md", "CONTRIBUTING.md", "docs/writing-a-plugin.md"]) {
      const [, version] =
        /You need \[?Node\.js\]?(?:\([^)]*\))? ([\d.]+) or newer/.exec(await page(name)) ?? [];
      expect(`>=${version}`, name).toBe(engines.node);
    }
  });

  test("lead to agents.md from where people look", async () => {
    expect(await page("docs/writing-a-plugin.md")).toContain("](agents.md");
    expect(await page("README.md")).toContain("](docs/agents.md)");
  });
});
