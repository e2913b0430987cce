import { expect, test } from "vitest";
import { countOf, lackOf } from "./of-use.ts";

const hosts = {
  type: "array",
  title: "Allowed hosts",
  items: { type: "string" },
  default: [],
  "x-patchbay": { whenEmpty: "No host is allowed yet. Add one." },
};
const plugin = (property: unknown) => ({
  declaration: {
    configSchema: {
      type: "object",
      properties: { tools: { type: "object", properties: { allowedHosts: property } } },
    },
  },
});

test.each([[null], [{}], [{ tools: {} }], [{ tools: { allowedHosts: [] } }]])(
  "settings %j lack what nothing works without",
  (config) => {
    expect(lackOf(plugin(hosts), config && { config })).toEqual({
      path: ["tools", "allowedHosts"],
      text: "No host is allowed yet. Add one.",
      title: "Allowed hosts",
      isList: true,
    });
  },
);

test("what is set, what has a default, and what does not say so lacks nothing", () => {
  expect(lackOf(plugin(hosts), { config: { tools: { allowedHosts: ["example.com"] } } })).toBeNull();
  expect(lackOf(plugin({ ...hosts, default: ["a.example"] }), { config: {} })).toBeNull();
  expect(lackOf(plugin({ ...hosts, "x-patchbay": {} }), { config: {} })).toBeNull();
  expect(lackOf({ declaration: { configSchema: null } }, null)).toBeNull();
});

test("what a plugin says is one line of bounded length", () => {
  const loud = { ...hosts, "x-patchbay": { whenEmpty: `Add\none\u202e ${"!".repeat(500)}` } };
  const text = lackOf(plugin(loud), { config: {} })?.text ?? "";
  expect(text).toMatch(/^Add one/);
  expect(text.length).toBeLessThanOrEqual(120);
});

test("entries are counted in the plugin's words, where it has some for that", () => {
  const count = { one: "{count} host allowed", other: "{count} hosts allowed" };
  const counted = plugin({ ...hosts, "x-patchbay": { count } });
  const of = (allowedHosts: unknown) => countOf(counted, { config: { tools: { allowedHosts } } });
  expect(of(["a.example"])).toBe("1 host allowed");
  expect(of(["a.example", "b.example", "c.example"])).toBe("3 hosts allowed");
  for (const none of [[], null, "a.example"]) expect(of(none)).toBeNull();
  expect(countOf(counted, null)).toBeNull();
  expect(countOf(plugin(hosts), { config: { tools: { allowedHosts: ["a.example"] } } })).toBeNull();
  const odd = plugin({ ...hosts, "x-patchbay": { count: { one: 1 } } });
  expect(countOf(odd, { config: { tools: { allowedHosts: ["a.example"] } } })).toBeNull();
});
