import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ToolInfo } from "../../src/contract/index.ts";
import type { HostServices, InstanceContributions } from "../../src/main/runtimes/runtime.ts";
import { type LightPool, nothing, openLightPool, scriptedRuntime } from "../support/light-pool.ts";
import { callScope, textOf, toolCall } from "../support/pool-world.ts";

let world: LightPool;
/** What each plugin offers when it starts, and the services that its newest start was given. */
let offers: Map<string, InstanceContributions>;
let services: Map<string, HostServices>;

beforeEach(async () => {
  offers = new Map();
  services = new Map();
  world = await openLightPool(
    scriptedRuntime((key, given) => {
      services.set(key, given);
      return {
        contributions: offers.get(key) ?? nothing,
        call: (async (call: { kind: string; name: string }) => ({
          content: [{ type: "text", text: `${key} ran ${call.name}` }],
        })) as never,
      };
    }),
  );
});
afterEach(() => world.close());

const tool = (name: string): ToolInfo => ({
  name,
  title: name,
  description: "",
  parameters: { type: "object" },
  readOnly: true,
  owner: "somebody else",
});
const tools = (...names: string[]): InstanceContributions => ({ ...nothing, tools: names.map(tool) });
const live = () => world.pool.live("ada").tools.map(({ name, owner }) => `${owner} ${name}`);
const announced = () =>
  new Promise((resolve) => world.pool.changes.once("contributions", () => resolve(live())));

test("tools come and go while the plugin runs, and each change is announced", async () => {
  await world.install("a");
  offers.set("a", tools("a__one"));
  await world.enable("a");
  expect(live()).toEqual(["a a__one"]);

  const next = announced();
  services.get("a")?.contributionsChanged(tools("a__one", "a__two"));
  expect(await next).toEqual(["a a__one", "a a__two"]);
  expect(textOf(await world.pool.call("ada", "a", toolCall("a__two", {}), callScope()))).toBe("a ran a__two");
  expect(world.pool.view("ada", "a").contributions?.tools.map(({ name }) => name)).toEqual([
    "a__one",
    "a__two",
  ]);

  services.get("a")?.contributionsChanged(nothing);
  expect(live()).toEqual([]);
});

test("a tool that belongs to a running plugin is not taken over by one that offers it later", async () => {
  for (const key of ["b", "a"]) await world.install(key, { capabilities: { tools: {} } });
  offers.set("b", tools("say"));
  await world.enable("b");
  await world.enable("a");

  services.get("a")?.contributionsChanged(tools("say", "hear"));
  expect(live()).toEqual(["a hear", "b say"]);
  expect(world.pool.view("ada", "a")).toMatchObject({
    state: "degraded",
    reason: { code: "NAME_CLASH", message: "The tool say of a is already offered by b." },
  });
  expect(world.pool.view("ada", "b").state).toBe("running");

  services.get("b")?.contributionsChanged(nothing);
  expect(live()).toEqual(["a say", "a hear"]);
  expect(world.pool.view("ada", "a")).toMatchObject({ state: "running", reason: null });
});

describe("names", () => {
  test("may hold any number of `__`, and the plugin that offers a tool owns it", async () => {
    await world.install("forge", { capabilities: { tools: {} } });
    offers.set("forge", tools("forge__issues__list__all", "no_namespace_at_all"));
    await world.enable("forge");
    expect(live()).toEqual(["forge forge__issues__list__all", "forge no_namespace_at_all"]);
  });

  test("with the beginning of another plugin system are left out, and the log says so", async () => {
    await world.install("sly");
    offers.set("sly", tools("mcp__github__merge", "sly__ok", "sly__ok", "no such name"));
    await world.enable("sly");
    expect(live()).toEqual(["sly sly__ok"]);
    expect(world.pool.logs("ada", "sly").map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        "The tool mcp__github__merge was left out: names with mcp__ belong to plugins of the system mcp.",
        "The tool sly__ok was left out: it is offered twice.",
        "The tool no such name was left out: no model takes such a name.",
      ]),
    );
  });
});

describe("a tool that is not there", () => {
  test("is missed from the plugin that offered it when it ran last", async () => {
    await world.install("hub", { displayName: "Hub", capabilities: { tools: {} } });
    offers.set("hub", tools("search__all"));
    await world.enable("hub");
    await world.disable("hub");
    expect(world.pool.whyMissing("ada", "search__all")).toEqual({ plugin: "Hub", problem: null });
    expect(world.pool.whyMissing("ada", "search")).toBeUndefined();
  });

  test("is missed from the plugin with the longest namespace that its name begins with", async () => {
    await world.install("short", { displayName: "Short", capabilities: { tools: { namespace: "git" } } });
    await world.install("long", { displayName: "Long", capabilities: { tools: { namespace: "git__lab" } } });
    for (const key of ["long", "short"]) {
      await world.enable(key);
      await world.disable(key);
    }
    expect(world.pool.whyMissing("ada", "git__lab__merge")?.plugin).toBe("Long");
    expect(world.pool.whyMissing("ada", "git__log")?.plugin).toBe("Short");
    expect(world.pool.whyMissing("ada", "github__log")).toBeUndefined();
  });
});
