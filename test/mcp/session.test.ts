import { randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { McpApp } from "./mcp-app.ts";
import { HttpServer } from "./servers/over-http.ts";

let app: McpApp;
let server: HttpServer;
let sessions: Map<string, StreamableHTTPServerTransport>;

beforeEach(async () => {
  app = await McpApp.open();
  sessions = new Map();
  server = await HttpServer.open(forgetful());
});
afterEach(async () => {
  await app?.close();
  await server?.close();
});

/** A server with sessions that live in `sessions` alone. */
function forgetful(): Parameters<typeof HttpServer.open>[0] {
  return async (request, response) => {
    const id = request.headers["mcp-session-id"];
    if (typeof id === "string") {
      const known = sessions.get(id);
      return known ? known.handleRequest(request, response) : response.writeHead(404).end();
    }
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (made) => void sessions.set(made, transport),
      onsessionclosed: (gone) => void sessions.delete(gone),
    });
    const of = new McpServer({ name: "forgetful", version: "1" });
    of.registerTool("echo", { description: "Says hello." }, async () => ({
      content: [{ type: "text", text: "hello" }],
    }));
    await of.connect(transport);
    return transport.handleRequest(request, response);
  };
}

async function run(): Promise<string> {
  await app.install(`mcp:${server.url}`);
  const key = new URL(server.url).host.replace(/[.:]/g, "-");
  expect((await app.switchOn(key)).instance).toMatchObject({ state: "running" });
  return key;
}

test("a session that the server has forgotten is begun once more, once for all calls", async () => {
  const key = await run();
  const [first] = sessions.keys();
  sessions.clear();
  const calls = await Promise.all([1, 2, 3].map(() => app.call(`${key}__echo`)));
  expect(calls.map(({ text }) => text)).toEqual(["hello", "hello", "hello"]);
  expect(sessions.size).toBe(1);
  expect(sessions.has(first ?? "")).toBe(false);
  expect(await app.call(`${key}__echo`)).toMatchObject({ text: "hello" });
});

test("the server is told when its session is over", async () => {
  const key = await run();
  expect(sessions.size).toBe(1);
  await app.client.agentPlugins.set({ agentId: app.agentId, key, enabled: false });
  expect(sessions.size).toBe(0);
  expect(server.seen.map(({ method }) => method)).toContain("DELETE");
});

test("a server that does not come back says that it cannot be reached", async () => {
  const key = await run();
  await server.close();
  expect(JSON.stringify(await app.call(`${key}__echo`))).toContain("cannot be reached");
});

test("a server that is down when it is needed is tried again, and runs when it is there", async () => {
  await app.install(`mcp:${server.url}`);
  const port = Number(new URL(server.url).port);
  await server.close();
  const key = new URL(server.url).host.replace(/[.:]/g, "-");
  const { instance, lastError } = await app.switchOn(key);
  expect(lastError).toMatchObject({ code: "SERVER_UNREACHABLE" });
  expect(instance.nextRestartAt).not.toBeNull();
  server = await HttpServer.open(forgetful(), "/mcp", port);
  await expect
    .poll(() => app.call(`${key}__echo`).then((result) => ("text" in result ? result.text : "")), {
      timeout: 20_000,
    })
    .toBe("hello");
});
