import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NetworkJudge } from "../../../platform/walls/wall.ts";
import { providerFetch } from "./provider-fetch.ts";

let inside: Server;
let port: number;
let asked = 0;
beforeAll(async () => {
  inside = createServer((_request, response) => {
    asked += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  port = (inside.address() as AddressInfo).port;
});
afterAll(() => inside.close());

const yes: NetworkJudge = { decide: async () => ({ allowed: true }) };
const signal = new AbortController().signal;
/** What names lead to; one that is asked for again may lead elsewhere. */
const names = (of: Record<string, string[]>) => async (host: string) => {
  const [first = "", ...more] = of[host] ?? [];
  if (more.length > 0) of[host] = more;
  return [first];
};

test.each([
  ["this computer", "127.0.0.1"],
  ["a network of the person's", "10.0.0.7"],
  ["this computer, as IPv6 has it", "::ffff:127.0.0.1"],
])("a server out there cannot point to %s, whatever the person allowed", async (_name, address) => {
  const resolve = names({ "mcp.example": ["93.184.215.14"], "as.example": [address] });
  const through = providerFetch(new URL("https://mcp.example/mcp"), yes, signal, resolve);
  await expect(through.fetch(`http://as.example:${port}/`)).rejects.toMatchObject({
    code: "HOST_NOT_ALLOWED",
  });
  expect(asked).toBe(0);
});

test.each(["169.254.169.254", "::ffff:169.254.169.254", "fe80::1"])(
  "a server of this computer cannot point to %s",
  async (address) => {
    const resolve = names({ localhost: ["127.0.0.1"], "as.example": [address] });
    const through = providerFetch(new URL("http://localhost:1/mcp"), yes, signal, resolve);
    await expect(through.fetch("http://as.example/")).rejects.toMatchObject({ code: "HOST_NOT_ALLOWED" });
  },
);

test("a name that leads inside at a second look is connected to where it led at the first", async () => {
  const resolve = names({ "mcp.example": ["93.184.215.14"], "as.example": ["192.0.2.1", "127.0.0.1"] });
  const through = providerFetch(new URL("https://mcp.example/mcp"), yes, signal, resolve);
  await expect(through.fetch(`http://as.example:${port}/`)).rejects.toThrow();
  expect(asked).toBe(0);
});

test("a server of this computer may point to this computer, where the person allows it, and that is remembered", async () => {
  const resolve = names({ localhost: ["127.0.0.1"] });
  const through = providerFetch(new URL("http://localhost:1/mcp"), yes, signal, resolve);
  expect((await through.fetch(`http://localhost:${port}/`)).status).toBe(200);
  expect(through.inside()).toEqual([`http://localhost:${port}`]);
});
