import { describe, expect, it } from "vitest";
import { mirroredParams, paramHeaders } from "./param-headers.ts";

const region = { type: "string", "x-mcp-header": "Region" };
const object = (properties: object) => ({ type: "object", properties });

describe("arguments that are wanted in headers, too", () => {
  it("are found on properties, however deep", () => {
    const count = { type: "integer", "x-mcp-header": "Count" };
    const schema = object({ region, plain: { type: "string" }, inner: object({ count }) });
    expect(mirroredParams(schema)).toEqual([
      { path: ["region"], name: "Region" },
      { path: ["inner", "count"], name: "Count" },
    ]);
    expect(mirroredParams(object({ a: { type: "string" } }))).toEqual([]);
    // A default is data; so is an argument that is itself called so.
    expect(mirroredParams(object({ a: { type: "object", default: { "x-mcp-header": 1 } } }))).toEqual([]);
  });

  it.each([
    ["on the whole", { ...object({}), "x-mcp-header": "X" }],
    ["on the elements of a list", object({ a: { type: "array", items: region } })],
    ["on one of several ways", object({ a: { oneOf: [region] } })],
    ["in a definition", { ...object({}), $defs: { region } }],
    ["on an object", object({ a: { type: "object", "x-mcp-header": "X" } })],
    ["on a fraction", object({ a: { type: "number", "x-mcp-header": "X" } })],
    ["without a type", object({ a: { "x-mcp-header": "X" } })],
    ["without a name", object({ a: { type: "string", "x-mcp-header": "" } })],
    ["with the end of a line in its name", object({ a: { type: "string", "x-mcp-header": "X\r\nCookie" } })],
    ["twice under one name", object({ a: region, b: { type: "string", "x-mcp-header": "REGION" } })],
  ])("are refused with their tool: %s", (_where, schema) => {
    expect(mirroredParams(schema)).toBeNull();
  });

  it.each([
    ["eu", "eu"],
    [true, "true"],
    [42, "42"],
    ["", "=?base64??="],
    [" eu", "=?base64?IGV1?="],
    ["Zürich", "=?base64?WsO8cmljaA==?="],
    ["a\r\nX-Evil: 1", "=?base64?YQ0KWC1FdmlsOiAx?="],
    ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
  ])("%j stands in a header as %j", (value, header) => {
    expect(paramHeaders([{ path: ["a", "b"], name: "Region" }], { a: { b: value } })).toEqual({
      "Mcp-Param-Region": header,
    });
  });

  it.each([[undefined], [null], [{}], [[]], [1.5], [2 ** 60]])("%j has no header", (value) => {
    expect(paramHeaders([{ path: ["a"], name: "Region" }], { a: value })).toEqual({});
  });
});
