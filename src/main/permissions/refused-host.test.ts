import { describe, expect, it } from "vitest";
import { addableHost, type RefusedCall, refusedHost } from "./refused-host.ts";

const hosts = { type: "array", items: { type: "string" }, default: ["given.example"] };
const marked = { ...hosts, "x-patchbay": { hosts: true } };

function schemaWith(list: object): Record<string, unknown> {
  return { type: "object", properties: { tools: { type: "object", properties: { allowed: list } } } };
}

function judged(url: unknown, more: Partial<RefusedCall> & { list?: object } = {}) {
  const { list = marked, ...call } = more;
  return refusedHost({
    plugin: { declaration: { configSchema: schemaWith(list) } } as RefusedCall["plugin"],
    config: {},
    network: { reach: "any", hosts: [], refused: [] },
    said: "harbour.example",
    inputs: [{ url }, { url }],
    refused: [],
    since: 1_000,
    ...call,
  });
}

describe("a host that a plugin says it may not ask", () => {
  it("is offered when the call asked for it", () => {
    expect(judged("https://harbour.example/a?b")).toEqual({ host: "harbour.example", by: "settings" });
    expect(judged("HTTPS://Harbour.Example./")).toEqual({ host: "harbour.example", by: "settings" });
    expect(judged({ deep: ["http://harbour.example"] })).toMatchObject({ host: "harbour.example" });
  });

  it("keeps the port where that is not the usual one", () => {
    const said = "harbour.example:8080";
    expect(judged("http://harbour.example:8080/", { said })).toMatchObject({ host: said });
    expect(judged("http://harbour.example/", { said })).toBeNull();
    expect(judged("http://harbour.example:8080/")).toBeNull();
    expect(judged("http://harbour.example:80/")).toMatchObject({ host: "harbour.example" });
  });

  it("is told as it reads when it is written in other letters", () => {
    const said = "xn--bcher-kva.example";
    expect(judged("https://bücher.example/", { said })).toEqual({
      host: said,
      reads: "bücher.example",
      by: "settings",
    });
  });

  it.each([
    ["only the plugin names it", "https://other.example/"],
    ["it stands in a text", "Read harbour.example, or https://harbour.example/ please"],
    ["the address carries a password", "https://me:secret@harbour.example/"],
    ["it is only in the query", "https://other.example/?to=https://harbour.example/"],
    ["it is no web address", "ftp://harbour.example/"],
  ])("is not offered when %s", (_why, url) => {
    expect(judged(url)).toBeNull();
  });

  it("is not offered when a hook put it into the arguments, or the plugin got others", () => {
    const [there, other] = [{ url: "https://harbour.example/" }, { url: "https://other.example/" }];
    expect(judged("", { inputs: [other, there] })).toBeNull();
    expect(judged("", { inputs: [there, other] })).toBeNull();
  });

  it("is not offered without a list that is marked, or when it is on it", () => {
    const url = "https://harbour.example/";
    expect(judged(url, { list: hosts })).toBeNull();
    expect(judged(url, { list: { ...marked, items: { type: "object" } } })).toBeNull();
    expect(judged(url, { config: { tools: { allowed: ["harbour.example"] } } })).toBeNull();
    expect(judged("https://given.example/", { said: "given.example" })).toBeNull();
  });
});

describe("a host that the wall refused", () => {
  const refused = (target: string, more = {}) => [
    {
      wall: "network" as const,
      target,
      seenBy: "wall" as const,
      count: 1,
      at: new Date(2_000).toISOString(),
      ...more,
    },
  ];
  const network = { reach: "hosts" as const, hosts: ["api.example"], refused: [] };
  const byWall = (more: Partial<RefusedCall>) => judged("", { said: undefined, network, ...more });

  it("is offered when it was refused while the call ran", () => {
    expect(byWall({ refused: refused("maps.example:443") })).toEqual({ host: "maps.example", by: "wall" });
    expect(
      byWall({ refused: refused("api.example:443"), network: { ...network, refused: ["api.example"] } }),
    ).toEqual({ host: "api.example", by: "wall" });
  });

  it.each([
    ["before the call", refused("maps.example:443", { at: new Date(500).toISOString() })],
    ["by the plugin's own word", refused("maps.example:443", { seenBy: "process" })],
    ["and is no name of the internet", refused("127.0.0.1:443")],
    ["and is allowed by now", refused("api.example:443")],
    ["in something else", refused("/etc/passwd", { wall: "files" })],
  ])("is not offered when it was refused %s", (_why, tallies) => {
    expect(byWall({ refused: tallies as RefusedCall["refused"] })).toBeNull();
  });

  it("is not offered to a plugin without the network", () => {
    const none = { ...network, reach: "none" as const };
    expect(byWall({ refused: refused("maps.example:443"), network: none })).toBeNull();
  });
});

it.each([
  "127.0.0.1",
  "1.1.1.1",
  "[::1]",
  "localhost",
  "a.localhost",
  "router.local",
  "nas.lan",
  "db.internal",
  "printer",
  "*.example.com",
  "example.com:0",
  "example.com:99999",
  "me@example.com",
  "example.com/a",
  "exаmple.com",
  "Example.com",
  "example.1",
  "",
])("%s has to be typed", (host) => {
  expect(addableHost(host)).toBeNull();
});
