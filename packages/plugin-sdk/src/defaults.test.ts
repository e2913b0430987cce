import { expect, it } from "vitest";
import { z } from "zod";
import { schemaOf, withDefaults } from "./index.ts";

it("fills in what is missing, keeps what is there, and changes nothing in place", () => {
  const schema = { properties: { a: { default: 1 }, b: { default: { c: [1] } }, d: {} } };
  const given = { a: 0, d: null };
  expect(withDefaults(schema, given)).toEqual({ a: 0, b: { c: [1] }, d: null });
  expect(given).toEqual({ a: 0, d: null });
  expect(withDefaults(schema, {})).not.toBe(withDefaults(schema, {}));
  const whole = { a: 2, b: { c: [] } };
  expect(withDefaults(schema, whole)).toBe(whole);
});

it("gives each value a copy of a default", () => {
  const schema = { properties: { list: { type: "array", default: [] as number[] } } };
  const first = withDefaults(schema, {}) as { list?: number[] };
  first.list?.push(1);
  expect(withDefaults(schema, {})).toEqual({ list: [] });
});

it("goes into nested objects and lists, and makes an object where its defaults make it whole", () => {
  const retry = { type: "object", properties: { times: { type: "integer", default: 3 } } };
  const proxy = {
    type: "object",
    properties: { host: { type: "string" }, port: { type: "integer", default: 8080 } },
    required: ["host"],
  };
  const schema = {
    type: "object",
    properties: { retry, proxy, hosts: { type: "array", items: proxy } },
  };
  expect(withDefaults(schema, {})).toEqual({ retry: { times: 3 } });
  expect(
    withDefaults(schema, { retry: {}, proxy: { host: "a" }, hosts: [{ host: "b" }, { port: 1 }] }),
  ).toEqual({
    retry: { times: 3 },
    proxy: { host: "a", port: 8080 },
    hosts: [{ host: "b", port: 8080 }, { port: 1 }],
  });
});

it("takes the branch of oneOf or anyOf that fits, and none where several do", () => {
  const branch = (mode: string, name: string) => ({
    properties: { mode: { const: mode }, [name]: { type: "number", default: 7 } },
    required: ["mode"],
  });
  for (const keyword of ["oneOf", "anyOf"]) {
    const schema = { type: "object", [keyword]: [branch("a", "x"), branch("b", "y")] };
    expect(withDefaults(schema, { mode: "b" })).toEqual({ mode: "b", y: 7 });
    expect(withDefaults(schema, {})).toEqual({});
  }
  const open = { oneOf: [{ properties: { x: { default: 1 } } }, { properties: { y: { default: 2 } } }] };
  expect(withDefaults(open, {})).toEqual({});
});

it("follows references, allOf, if and additionalProperties", () => {
  const schema = {
    $defs: { port: { type: "integer", default: 443 } },
    allOf: [{ properties: { port: { $ref: "#/$defs/port" } } }],
    properties: { tls: { type: "boolean", default: true } },
    if: { properties: { tls: { const: true } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { version: { default: "1.3" } } },
    additionalProperties: { type: "object", properties: { on: { default: false } } },
  };
  expect(withDefaults(schema, { extra: {} })).toEqual({
    tls: true,
    port: 443,
    version: "1.3",
    extra: { on: false },
  });
});

it("leaves a default out that does not fit, and names that lead to the prototype", () => {
  const schema = { properties: { a: { type: "string", default: 5 }, b: { enum: ["x"], default: "y" } } };
  expect(withDefaults(schema, {})).toEqual({});
  const sly = JSON.parse('{"properties": {"__proto__": {"default": {"polluted": true}}}}');
  expect(Object.getPrototypeOf(withDefaults(sly, {}))).toBe(Object.prototype);
});

it("ends on a schema that contains itself, and fills nothing in where it would take too long", () => {
  const node = { properties: { value: { default: 1 }, next: { $ref: "#" } } };
  expect(withDefaults(node, { next: {} })).toEqual({ value: 1, next: { value: 1 } });
  const $defs: Record<string, unknown> = { d0: { properties: { x: { default: 1 } } } };
  for (let level = 1; level < 40; level += 1) {
    const ref = { $ref: `#/$defs/d${level - 1}` };
    $defs[`d${level}`] = { allOf: [ref, ref] };
  }
  expect(withDefaults({ $defs, $ref: "#/$defs/d39" }, {})).toEqual({});
});

it("reads what schemaOf makes of a zod schema", () => {
  const schema = schemaOf(z.object({ tools: z.object({ n: z.number().default(20) }).prefault({}) }));
  expect(withDefaults(schema, {})).toEqual({ tools: { n: 20 } });
  expect(withDefaults(true, { a: 1 })).toEqual({ a: 1 });
});
