import { expect, test } from "vitest";
import { withoutForeignParts, withSettingsPaths } from "./older-rows.ts";

const declared = (more: object) => ({
  configSchema: null,
  flatConfig: false,
  defaultConfig: null,
  secretKeys: [],
  ...more,
});

test("a plugin of before says where its secrets lie, and its flat schema becomes that of the whole settings", () => {
  const flat = { type: "object", properties: { city: { type: "string" }, token: { type: "string" } } };
  const version = {
    capabilities: { tools: { namespace: "weather" } },
    declaration: declared({
      configSchema: flat,
      flatConfig: true,
      secretKeys: [{ key: "token", label: "Token", section: "tools" }],
    }),
  };
  const upgraded = {
    capabilities: { tools: { namespace: "weather" } },
    declaration: {
      configSchema: { type: "object", properties: { tools: flat }, required: ["tools"] },
      settingsRoot: ["tools"],
      defaultConfig: null,
      secretKeys: [{ key: "token", label: "Token", path: ["tools", "token"] }],
      details: { flatConfig: true },
    },
  };
  expect(withSettingsPaths({ runtime: "native", ...version, previous: [version] })).toEqual({
    runtime: "native",
    ...upgraded,
    previous: [upgraded],
  });
});

test("a secret above several parts is looked for in the defaults and the schema; else it is in the first part", () => {
  const schema = { properties: { hooks: { properties: { b: {} } } } };
  const keys = ["a", "b", "c"].map((key) => ({ key, label: key }));
  const plugin = {
    runtime: "native",
    capabilities: { tools: { namespace: "x" }, channel: { hasSetup: false }, hooks: { events: [] } },
    declaration: declared({ configSchema: schema, defaultConfig: { channel: { a: "" } }, secretKeys: keys }),
  };
  const { declaration } = withSettingsPaths(plugin) as {
    declaration: { secretKeys: { path: string[] }[] };
  };
  expect(declaration.secretKeys.map(({ path }) => path)).toEqual([
    ["channel", "a"],
    ["hooks", "b"],
    ["tools", "c"],
  ]);
});

test("what another system declared stays, without what only this one knew", () => {
  const details = { runtime: "wasm" };
  const row = {
    runtime: "fledge",
    capabilities: {},
    declaration: declared({ flatConfig: true, details }),
    previous: [],
  };
  const { flatConfig: _, ...declaration } = row.declaration as Record<string, unknown>;
  expect(withSettingsPaths(row)).toEqual({ ...row, declaration });
});

test("settings of another system come out of the parts, those of this one stay", () => {
  const runtimes = new Map([
    ["weather", "native"],
    ["greet", "fledge"],
  ]);
  const row = (pluginKey: string, config: object) => ({ pluginKey, config });
  const wrapped = { tools: { prompts: "ask", env: { A: "1" } } };
  const upgrade = withoutForeignParts((key) => runtimes.get(key));
  const upgraded = [
    row("weather", wrapped),
    row("greet", wrapped),
    row("gone", wrapped),
    row("other", { tools: { city: "x" } }),
  ].map(upgrade);
  expect(upgraded).toEqual([
    row("weather", wrapped),
    row("greet", wrapped.tools),
    row("gone", wrapped.tools),
    row("other", { tools: { city: "x" } }),
  ]);
});
