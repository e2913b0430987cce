import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeFiles } from "../support/fixture-plugin.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld, reference, textOf } from "../support/pool-world.ts";

let world: PoolWorld;

beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.pool.boot();
});
afterEach(async () => {
  await world.close();
  expect(world.alive()).toEqual([]);
});

/** A plugin whose tool `show` tells what its `parseConfig` saw, what its `start` got, and its secrets. */
const shows = (manifest: object) => `let seen;
export default {
  manifestVersion: 1, key: "shows", displayName: "Shows", description: "Shows its settings.",
  ...${JSON.stringify(manifest)},
  parseConfig: (config) => (seen = config),
  tools: {
    namespace: "shows",
    start: async (config, ctx) => ({ stop: async () => {}, toolsets: [{ id: "s", description: "", tools: [
      { name: "show", description: "", parameters: { type: "object" }, readOnly: true,
        execute: (input) => JSON.stringify({ seen, config, token: ctx.secrets.get("TOKEN") ?? null }) },
    ] }] }),
  },
};`;

async function install(files: Record<string, string>) {
  const dir = join(world.home, "plugin");
  const packageFile = { name: "made-here", version: "1.0.0", type: "module", main: "index.js" };
  await writeFiles(dir, { "package.json": JSON.stringify(packageFile), ...files });
  const plugin = await world.describe(dir);
  await world.registry.put(plugin);
  return plugin;
}

const shown = async () => JSON.parse(textOf(await world.call("ada", "shows__show")));

describe("defaults of the schema", () => {
  const inner = {
    type: "object",
    properties: {
      city: { type: "string", default: "Ulm" },
      retry: { type: "object", properties: { times: { type: "integer", default: 3 } } },
      hosts: { type: "array", items: { type: "object", properties: { port: { default: 443 } } } },
      mode: {
        oneOf: [
          { properties: { kind: { const: "fast" }, jobs: { default: 8 } }, required: ["kind"] },
          { properties: { kind: { const: "slow" }, pause: { default: 2 } }, required: ["kind"] },
        ],
      },
    },
    required: ["city"],
  };
  const schema = { type: "object", properties: { tools: inner }, required: ["tools"] };

  test("are there for parseConfig and for start, also before anybody has set anything", async () => {
    await install({ "index.js": shows({ configSchema: schema }) });
    await world.enable("ada", "shows");
    const tools = { city: "Ulm", retry: { times: 3 } };
    expect(await shown()).toMatchObject({ seen: { tools }, config: tools });
  });

  test("fill in what is not said, in nested parts, lists and the branch that fits", async () => {
    await install({ "index.js": shows({ configSchema: schema }) });
    const given = { city: "Bonn", retry: {}, hosts: [{ port: 80 }, {}], mode: { kind: "slow" } };
    await world.enable("ada", "shows", { tools: given });
    expect((await shown()).config).toEqual({
      city: "Bonn",
      retry: { times: 3 },
      hosts: [{ port: 80 }, { port: 443 }],
      mode: { kind: "slow", pause: 2 },
    });
    expect(world.agentPlugins.get("ada", "shows")?.config).toEqual({ tools: given });
  });

  test("are there for a schema of the inside alone, as its parseConfig sees it", async () => {
    await install({ "index.js": shows({ configSchema: inner }) });
    await world.enable("ada", "shows");
    expect((await shown()).seen).toEqual({ city: "Ulm", retry: { times: 3 } });
  });
});

describe("a strict schema with a secret that it does not name", () => {
  const configSchema = {
    type: "object",
    properties: { tools: { type: "object", properties: { room: {} }, additionalProperties: false } },
    additionalProperties: false,
  };
  const secretKeys = [{ key: "TOKEN", label: "Token" }];

  test("gets the secret as a secret, and settings that fit its schema", async () => {
    const plugin = await install({ "index.js": shows({ configSchema, secretKeys }) });
    expect(plugin.declaration.secretKeys).toMatchObject([{ path: ["tools", "TOKEN"] }]);
    await world.vault.set("SHOWS_TOKEN", null, "hush-hush");
    await world.enable("ada", "shows", { tools: { room: "tea", TOKEN: reference("SHOWS_TOKEN") } });
    expect(await shown()).toEqual({
      seen: { tools: { room: "tea" } },
      config: { room: "tea" },
      token: "hush-hush",
    });
  });

  test("gets it among its settings where the schema names it", async () => {
    const known = structuredClone(configSchema) as { properties: { tools: { properties: object } } };
    known.properties.tools.properties = { TOKEN: { type: "string" } };
    await install({ "index.js": shows({ configSchema: known, secretKeys }) });
    await world.vault.set("SHOWS_TOKEN", null, "hush-hush");
    await world.enable("ada", "shows", { tools: { TOKEN: reference("SHOWS_TOKEN") } });
    expect((await shown()).config).toEqual({ TOKEN: "hush-hush" });
  });
});

describe("a secret that only the plugin's own defaults name", () => {
  const configSchema = (required: string[]) => ({
    type: "object",
    properties: {
      tools: { type: "object", properties: { room: {}, apiKey: { type: "string" } }, required },
    },
  });
  const defaultConfig = { tools: { room: "lobby", apiKey: reference("API_KEY") } };

  test("is done without when it is not stored and the schema does not require it", async () => {
    await install({ "index.js": shows({ configSchema: configSchema([]), defaultConfig }) });
    expect(await world.enable("ada", "shows")).toMatchObject({ state: "running" });
    expect((await shown()).config).toEqual({ room: "lobby" });
  });

  test("is still done without when the person has saved the form that shows it", async () => {
    await install({ "index.js": shows({ configSchema: configSchema([]), defaultConfig }) });
    const config = { tools: { room: "attic", apiKey: reference("API_KEY") } };
    expect(await world.enable("ada", "shows", config)).toMatchObject({ state: "running" });
    expect((await shown()).config).toEqual({ room: "attic" });
  });

  test("is waited for when the schema requires it, or the manifest declares it as needed", async () => {
    await install({ "index.js": shows({ configSchema: configSchema(["apiKey"]), defaultConfig }) });
    const needs = { state: "needs_setup", reason: { code: "MISSING_SECRET" } };
    expect(await world.enable("ada", "shows")).toMatchObject(needs);
    const secretKeys = [{ key: "API_KEY", label: "Key" }];
    await install({ "index.js": shows({ configSchema: configSchema([]), defaultConfig, secretKeys }) });
    await world.pool.apply("ada", "shows");
    expect(world.pool.view("ada", "shows")).toMatchObject({ state: "needs_setup" });
  });

  test("is waited for when the person has named it", async () => {
    await install({ "index.js": shows({ configSchema: configSchema([]), defaultConfig }) });
    const config = { tools: { apiKey: reference("MY_KEY") } };
    expect(await world.enable("ada", "shows", config)).toMatchObject({
      state: "needs_setup",
      reason: { code: "MISSING_SECRET", details: { missing: ["MY_KEY"] } },
    });
  });
});

describe("an older channel package with a setup", () => {
  const channel = (where: "parseConfig" | "start", message: string, setup = true) => `export default {
    manifestVersion: 1, key: "shows", namespace: "shows", displayName: "Shows",
    ${setup ? 'setup: { begin: async () => ({ sessionId: "s", state: { kind: "error", message: "x" } }), poll: async () => ({}) },' : ""}
    parseConfig: (config) => { ${where === "parseConfig" ? `throw new Error(${JSON.stringify(message)});` : "return config;"} },
    start: async () => { throw new Error(${JSON.stringify(message)}); },
  };`;

  test.each([
    ["start", "Chat is not linked to an account. Run channel setup first."],
    ["start", "auth_dir is no longer supported; run Chat setup again."],
    ["parseConfig", "account is missing: run channel setup first"],
  ] as const)("that asks for it in its %s needs setup, in its own words: %s", async (where, message) => {
    await install({ "index.js": channel(where, message) });
    expect(await world.enable("ada", "shows")).toMatchObject({
      state: "needs_setup",
      reason: { code: "NEEDS_SETUP", message },
    });
  });

  test("that fails for another reason, or has no setup, has failed", async () => {
    await install({ "index.js": channel("start", "the server is down") });
    expect(await world.enable("ada", "shows")).toMatchObject({ state: "failed" });
    await install({ "index.js": channel("start", "run channel setup first", false) });
    await world.pool.restart("ada", "shows");
    expect(world.pool.view("ada", "shows")).toMatchObject({ state: "failed" });
  });
});

describe("tools that do not say for whom they were written", () => {
  const module = (
    tools: string,
  ) => `const parameters = { type: "object", properties: { word: { type: "string" } } };
export default {
  manifestVersion: 1, key: "shows", displayName: "Shows", description: "Has tools.",
  tools: { namespace: "shows", start: async () => ({ stop: async () => {}, toolsets: [
    { id: "t", description: "", tools: [${tools}] } ] }) },
};`;
  const say = async (name: string) =>
    textOf(await world.call("ada", `shows__${name}`, { word: "hello" }, { toolCallId: "call-7" }));

  test.each([
    ["minified, for pi", "execute: async (t, e) => e.word + ' ' + t", "hello call-7"],
    ["minified and taken apart, for pi", "execute(t,e){const{word:n}=e;return n}", "hello"],
    ["minified, with a default, for pi", "execute: async (t, e, n = null) => e.word", "hello"],
    ["minified, as the contract says", "execute: async (t, e) => t.word + ' ' + e.agentId", "hello ada"],
    ["with one parameter", "execute: (t) => JSON.stringify(t)", '{"word":"hello"}'],
    ["with all arguments, for pi", 'form: "pi", execute: (...a) => a[1].word + " " + a[0]', "hello call-7"],
    ["with all arguments, as the contract says", "execute: (...a) => a[0].word + a[1].agentId", "helloada"],
  ])("%s", async (_what, execute, answer) => {
    await install({ "index.js": module(`{ name: "say", description: "", parameters, ${execute} }`) });
    await world.enable("ada", "shows");
    expect(await say("say")).toBe(answer);
  });

  test("an unclear one is of the form of its neighbours", async () => {
    const clear = `{ name: "clear", description: "", parameters, execute: async (toolCallId, p) => p.word }`;
    const unclear = `{ name: "say", description: "", parameters, execute: (...a) => a[1].word }`;
    await install({ "index.js": module(`${clear}, ${unclear}`) });
    await world.enable("ada", "shows");
    expect(await say("say")).toBe("hello");
  });

  test("one that looks for its arguments in the wrong place fails with what its author must do", async () => {
    const tool = `{ name: "say", description: "", parameters, execute: (...a) => "heard " + a[1].word }`;
    await install({ "index.js": module(tool) });
    await world.enable("ada", "shows");
    await expect(say("say")).rejects.toMatchObject({ message: expect.stringContaining('`form: "pi"`') });
  });
});

test("a plugin under a key that the person gave it has tools after that key, and knows nothing of it", async () => {
  const dir = join(world.home, "plugin");
  await install({ "index.js": shows({}) });
  const inspection = world.runtime.namedAs(await world.describe(dir), "shows-two");
  await world.registry.put({ ...(await world.describe(dir)), ...inspection, id: "two" });
  expect(await world.enable("ada", "shows")).toMatchObject({ state: "running" });
  expect(await world.enable("ada", "shows-two")).toMatchObject({ state: "running" });
  const names = world.pool.live("ada").tools.map(({ name }) => name);
  expect(names.sort()).toEqual(["shows__show", "shows_two__show"]);
  expect(textOf(await world.call("ada", "shows_two__show"))).toContain("config");
});

test("a plugin that is not bundled imports the SDK, which Patchbay gives it", async () => {
  const source = `import { definePlugin, withDefaults } from "@patchbay/plugin-sdk";
import { splitText } from "@patchbay/plugin-sdk/channel";
export default definePlugin({
  manifestVersion: 1, key: "shows", displayName: "Shows", description: "Uses the SDK.",
  tools: { namespace: "shows", start: async () => ({ stop: async () => {}, toolsets: [{ id: "t", description: "", tools: [
    { name: "show", description: "", parameters: { type: "object" }, readOnly: true,
      execute: () => JSON.stringify([typeof withDefaults, typeof splitText]) } ] }] }) },
});`;
  // What a package brings is TypeScript in a folder of modules, which Node refuses.
  await install({
    "index.js": source,
    "node_modules/@patchbay/plugin-sdk/package.json":
      '{"name":"@patchbay/plugin-sdk","exports":"./index.ts"}',
    "node_modules/@patchbay/plugin-sdk/index.ts": "export const definePlugin: unknown = null;",
  });
  expect(await world.enable("ada", "shows")).toMatchObject({ state: "running" });
  expect(await shown()).toEqual(["function", "function"]);
});
