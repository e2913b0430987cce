import { expect, test } from "vitest";
import { unwrapConfig, wrapConfig } from "./wrap-config.ts";

const tools = { tools: { namespace: "x" } };
const both = { ...tools, hooks: { events: [] } };

test("flat settings of a plugin with one capability are wrapped, wrapped ones stay", () => {
  expect(wrapConfig({ a: 1 }, tools)).toEqual({ tools: { a: 1 } });
  expect(wrapConfig({ tools: { a: 1 } }, tools)).toEqual({ tools: { a: 1 } });
  expect(wrapConfig({}, tools)).toEqual({ tools: {} });
});

test("settings of a plugin with several capabilities stay as they are", () => {
  expect(wrapConfig({ tools: { a: 1 } }, both)).toEqual({ tools: { a: 1 } });
});

test("a plugin that speaks of its one capability gets it unwrapped", () => {
  expect(unwrapConfig({ tools: { a: 1 } }, tools)).toEqual({ a: 1 });
  expect(unwrapConfig({ a: 1 }, tools)).toEqual({ a: 1 });
  expect(unwrapConfig({ tools: { a: 1 } }, both)).toEqual({ tools: { a: 1 } });
});
