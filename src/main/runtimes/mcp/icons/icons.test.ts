import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { pngOf } from "../../../../../test/png/png.ts";
import { type Fetch, judgedFetch } from "../../../platform/walls/network/judged-fetch.ts";
import { publicJudge } from "../../../platform/walls/network/public-judge.ts";
import { fetchIcon, iconInAddress } from "./fetch-icon.ts";
import { namedIcons } from "./named-icons.ts";
import { serverIcon } from "./server-icon.ts";

const png = pngOf([20, 120, 90]);
const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="steal()"></svg>${" ".repeat(30)}`);
const inAddress = (bytes: Buffer, kind = "image/png") => `data:${kind};base64,${bytes.toString("base64")}`;

let server: Server;
let origin: string;
const seen: IncomingMessage[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    switch (request.url) {
      case "/icon.png":
        return response.writeHead(200, { "content-type": "image/png", "set-cookie": "who=you" }).end(png);
      case "/html.png":
        return response.writeHead(200, { "content-type": "text/html" }).end(png);
      case "/svg.png":
        return response.writeHead(200, { "content-type": "image/png" }).end(svg);
      case "/huge.png":
        return response.writeHead(200).end(Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)]));
      case "/bomb.png":
        return response.writeHead(200).end(pngOf([0, 0, 0], 8, 60_000));
      case "/away.png":
        return response.writeHead(302, { location: "/icon.png" }).end();
      case "/gone.png":
        return response.writeHead(404).end(png);
      default:
        return response.writeHead(204).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen.length = 0;
});

const anywhere: Fetch = judgedFetch({ decide: async () => ({ allowed: true }) });

test("an icon is what its bytes are, and nobody learns who asks", async () => {
  expect(await fetchIcon(new URL("/icon.png", origin), anywhere)).toBe(inAddress(png));
  expect(await fetchIcon(new URL("/html.png", origin), anywhere)).toBe(inAddress(png));
  expect(seen.map(({ headers }) => Object.keys(headers).sort())).toEqual([
    ["accept", "connection", "host"],
    ["accept", "connection", "host"],
  ]);
});

test.each([
  ["a drawing that calls itself a picture", "/svg.png", "NOT_FOUND"],
  ["one of 10 MB", "/huge.png", "PAYLOAD_TOO_LARGE"],
  ["one that unpacks to 60,000 pixels", "/bomb.png", "NOT_FOUND"],
  ["one behind a redirect, which is not followed", "/away.png", "NOT_FOUND"],
  ["an error with a picture", "/gone.png", "NOT_FOUND"],
  ["nothing", "/empty.png", "NOT_FOUND"],
])("%s is no icon", async (_name, path, code) => {
  await expect(fetchIcon(new URL(path, origin), anywhere)).rejects.toMatchObject({ code });
  expect(seen.map(({ url }) => url)).toEqual([path]);
});

test("an icon inside of the person's network is not asked for, whatever its host is called", async () => {
  const { port } = new URL(origin);
  const renamed = judgedFetch(publicJudge(), async () => ["127.0.0.1"]);
  await expect(fetchIcon(new URL(`http://icons.example:${port}/icon.png`), renamed)).rejects.toMatchObject({
    code: "HOST_NOT_ALLOWED",
  });
  await expect(fetchIcon(new URL("/icon.png", origin), judgedFetch(publicJudge()))).rejects.toMatchObject({
    code: "HOST_NOT_ALLOWED",
  });
  expect(seen).toEqual([]);
});

test.each([
  ["a drawing", inAddress(svg, "image/svg+xml")],
  ["a drawing that calls itself a picture", inAddress(svg)],
  ["one that is too large", inAddress(Buffer.concat([png, Buffer.alloc(64 * 1024)]))],
  ["one that is not in base64", "data:image/png,abc"],
  ["a page", "data:text/html;base64,PHNjcmlwdD4="],
  ["no end", `data:image/png;base64,${"A".repeat(1_000_000)}`],
])("%s in its own address is no icon", (_name, src) => {
  expect(iconInAddress(src)).toBeUndefined();
});

test("the icon of a running server stands in its answer or at its own address", async () => {
  const asked: string[] = [];
  const fetch: Fetch = async (address) => {
    asked.push(String(address));
    return new Response(new Uint8Array(png));
  };
  const place = { address: new URL("https://acme.example/mcp"), fetch };
  expect(await serverIcon([{ src: inAddress(png) }], null)).toBe(inAddress(png));
  expect(await serverIcon([{ src: "https://acme.example/icon.png" }], place)).toBe(inAddress(png));
  for (const src of [
    "https://other.example/icon.png",
    "https://acme.example:8443/icon.png",
    "http://acme.example/icon.png",
    "https://me:secret@acme.example/icon.png",
    "file:///etc/passwd",
    "//acme.example/icon.png",
  ])
    expect(await serverIcon([{ src }], place)).toBeNull();
  // What a program says of an address is never asked for.
  expect(await serverIcon([{ src: "https://acme.example/icon.png?secret=1" }], null)).toBeNull();
  expect(asked).toEqual(["https://acme.example/icon.png"]);
});

test("of several icons the best three are looked at, for light screens and of a kind that is shown", () => {
  const icon = (src: string, more: object = {}) => ({ src, ...more });
  expect(
    namedIcons([
      icon("small", { sizes: ["16x16"] }),
      icon("drawn", { mimeType: "image/svg+xml" }),
      icon("night", { theme: "dark", sizes: ["96x96"] }),
      icon("large", { sizes: "512x512" }),
      icon("fits", { sizes: ["16x16", "96x96"], mimeType: "image/png" }),
      { no: "address" },
      null,
    ]),
  ).toEqual(["fits", "small", "large"]);
  for (const nothing of [undefined, null, "icon.png", {}, [[]], [7]]) expect(namedIcons(nothing)).toEqual([]);
});
