import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { McpApp } from "./mcp-app.ts";
import { HttpServer, modernHandler, sessionHandler, sseHandler } from "./servers/over-http.ts";

let app: McpApp;
const servers: HttpServer[] = [];
beforeAll(async () => {
  app = await McpApp.open();
});
afterAll(async () => {
  await app?.close();
  await Promise.all(servers.map((server) => server.close()));
});

async function open(...of: Parameters<typeof HttpServer.open>): Promise<HttpServer> {
  const server = await HttpServer.open(...of);
  servers.push(server);
  return server;
}

/** Installs a remote server from a description, which can say more than an address. */
async function run(key: string, url: string, more: object = {}, config?: Record<string, unknown>) {
  const dir = join(app.root, key);
  await mkdir(dir);
  const file = {
    schema: 1,
    name: key,
    origin: { kind: "manual" },
    server: { type: "remote", url, ...more },
    inputs: config ? [{ name: "key", secret: true, required: true }] : [],
  };
  await writeFile(join(dir, "patchbay-mcp.json"), JSON.stringify(file));
  expect(await app.install(dir)).toMatchObject({ status: "done", problem: null });
  return app.switchOn(key, config);
}

test.each([
  ["modern", modernHandler("reject"), "modern"],
  ["both", modernHandler("stateless"), "modern"],
  ["sessions", sessionHandler(), "legacy"],
  ["stream", sseHandler(), "legacy"],
] as const)("a server at an address answers: %s", async (key, handler, era) => {
  const { url } = await open(handler);
  expect((await run(key, url)).instance).toMatchObject({ state: "running" });
  expect(await app.call(`${key}__era`)).toMatchObject({ outcome: "executed", text: era });
});

test("an address alone is enough to install a server", async () => {
  const { url } = await open(sessionHandler());
  expect(await app.install(`mcp:${url}`)).toMatchObject({ status: "done", problem: null });
  const key = new URL(url).host.replace(/[.:]/g, "-");
  expect((await app.switchOn(key)).instance).toMatchObject({ state: "running" });
});

test("a key goes into the header that the server wants, and a wrong one is said", async () => {
  const handler = sessionHandler();
  const { url } = await open((request, response) =>
    request.headers.authorization === "Bearer right-and-long"
      ? handler(request, response)
      : response.writeHead(401).end(),
  );
  const headers = { headers: { Authorization: { join: ["Bearer ", { input: "key" }] } } };
  const right = await run("keyed", url, headers, { key: "right-and-long" });
  expect(right.instance).toMatchObject({ state: "running" });
  const wrong = await run("miskeyed", url, headers, { key: "wrong-and-long" });
  expect(wrong.lastError).toMatchObject({
    code: "CREDENTIALS_REFUSED",
    message: expect.stringContaining("127.0.0.1"),
  });
});

test("a redirect to another place is not followed", async () => {
  const hidden = await open(sessionHandler());
  const { url } = await open((_request, response) => response.writeHead(307, { location: hidden.url }).end());
  expect((await run("leads", url)).lastError).toMatchObject({ code: "SERVER_UNREACHABLE" });
  expect(hidden.seen).toEqual([]);
});

test.each([
  ["down", 503, "SERVER_UNREACHABLE", /answered with an error \(503\)/],
  ["gone", 404, "SERVER_UNREACHABLE", /answered with an error \(404\)|does not speak/],
] as const)("a server that is %s says so", async (key, status, code, says) => {
  const { url } = await open((_request, response) => response.writeHead(status).end());
  expect((await run(key, url)).lastError).toMatchObject({ code, message: expect.stringMatching(says) });
});

test("one that nothing listens at says so", async () => {
  const server = await HttpServer.open(() => {});
  await server.close();
  expect((await run("nobody", server.url)).lastError).toMatchObject({
    code: "SERVER_UNREACHABLE",
    message: expect.stringContaining("nothing listens there"),
  });
});
