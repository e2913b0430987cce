import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgedFetch } from "./judged-fetch.ts";

let server: Server;
let port: number;
const hosts: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    hosts.push(request.headers.host);
    if (request.url === "/away") return response.writeHead(307, { location: "http://127.0.0.1:9/" }).end();
    let body = "";
    request.on("data", (piece: Buffer) => {
      body += piece.toString();
    });
    request.on("end", () => response.writeHead(200, { "content-type": "text/plain" }).end(`got ${body}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const yes = { decide: async () => ({ allowed: true as const }) };

test("a name is connected to at the addresses that were judged, asked for once", async () => {
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    // The second answer would lead elsewhere.
    return [asked === 1 ? "127.0.0.1" : "127.0.0.2"];
  };
  const judged: string[][] = [];
  const judge = {
    decide: async ({ addresses }: { addresses(): Promise<readonly string[]> }) => {
      judged.push([...(await addresses())]);
      return { allowed: true as const };
    },
  };
  const response = await judgedFetch(judge, resolve)(`http://mcp.example.test:${port}/`, {
    method: "POST",
    body: "hello",
  });
  expect(await response.text()).toBe("got hello");
  expect({ judged, asked }).toEqual({ judged: [["127.0.0.1"]], asked: 1 });
  expect(hosts.at(-1)).toBe(`mcp.example.test:${port}`);
});

test("a host that the plugin may not reach is not connected to", async () => {
  const before = hosts.length;
  const no = { decide: async () => ({ allowed: false as const, why: "it is not granted." }) };
  await expect(judgedFetch(no)(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
    code: "HOST_NOT_ALLOWED",
    message: `It may not reach 127.0.0.1:${port}: it is not granted.`,
  });
  expect(hosts.length).toBe(before);
});

test("a redirect is handed back", async () => {
  const response = await judgedFetch(yes)(`http://127.0.0.1:${port}/away`);
  expect([response.status, response.headers.get("location")]).toEqual([307, "http://127.0.0.1:9/"]);
});

test("a call that is given up ends its connection", async () => {
  const scope = new AbortController();
  const hangs = createServer(() => scope.abort());
  await new Promise<void>((resolve) => hangs.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(hangs.address() as AddressInfo).port}/`;
  await expect(judgedFetch(yes)(url, { signal: scope.signal })).rejects.toThrow();
  hangs.closeAllConnections();
  hangs.close();
});
