import { expect, test } from "vitest";
import { switchedTools } from "../../../contract/index.ts";
import { switched } from "./switched.ts";

const names = (count: number) => Array.from({ length: count }, (_, at) => `p__${at + 1}`);
const tools = (of: string[]) => of.map((name) => ({ name }));
const on = (all: string[], switches: Parameters<typeof switchedTools>[1]) =>
  [...switchedTools(tools(all), switches)].flatMap(([name, state]) => (state ? [name] : []));

test("where nothing was switched all are on, of more than 64 the first", () => {
  expect(on(names(3), undefined)).toEqual(names(3));
  expect(on(names(70), undefined)).toEqual(names(64));
});

test("of few tools only those that are named change, and what comes later is on", () => {
  const after = switched(undefined, tools(names(3)), { tools: { p__2: false } });
  expect(after).toEqual({ tools: { p__2: false }, others: true });
  expect(on(names(4), after)).toEqual(["p__1", "p__3", "p__4"]);
});

test("of many tools the first pick fixes the choice: none slides in for one that is switched off", () => {
  const after = switched(undefined, tools(names(70)), { tools: { p__1: false } });
  expect(on(names(70), after)).toEqual(names(64).slice(1));
  const next = switched(after, tools(names(70)), { tools: { p__70: true } });
  expect(on(names(70), next)).toEqual([...names(64).slice(1), "p__70"]);
  expect(() => switched(next, tools(names(70)), { tools: { p__69: true } })).toThrow(/at most 64/);
});

test("a list of what is allowed leaves all others off", () => {
  const after = switched(undefined, [], { tools: { p__2: true }, others: false });
  expect(on(names(5), after)).toEqual(["p__2"]);
});

test("what reads resources is on when somebody switched it on, and never by itself", () => {
  const listed = [...tools(names(2)), { name: "p__read_resource", reading: "read_resource" as const }];
  expect(switchedTools(listed, undefined).get("p__read_resource")).toBe(false);
  expect(switchedTools(listed, { tools: {}, others: true }).get("p__read_resource")).toBe(false);
  const after = switched(undefined, listed, { tools: { p__read_resource: true } });
  expect(switchedTools(listed, after).get("p__read_resource")).toBe(true);
  const many = [...tools(names(70)), ...listed.slice(2)];
  expect(switched(undefined, many, { tools: { p__1: false } }).tools.p__read_resource).toBe(false);
});

test("a name of the prototype is a name like every other", () => {
  expect(on(["constructor", "__proto__"], { tools: {}, others: false })).toEqual([]);
});
