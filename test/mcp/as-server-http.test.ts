import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../gateway/support.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { type Answering, modern, ServedHome, textOf } from "./as-server-world.ts";

let served: ServedHome;
let app: RunningApp;
let token: string;
beforeAll(async () => {
  served = await ServedHome.make([
    { tool: "*", effect: "ask" },
    { tool: "kit__echo", effect: "allow" },
    { tool: "kit__steps", effect: "allow" },
  ]);
  app = await startApp(served.home);
  ({ token } = await letIn("ada", "Notes"));
});
afterAll(async () => {
  await app.close();
  await served.remove();
});

const letIn = async (agent: string, name: string) =>
  (await app.rest("POST", `/agents/${agent}/programs`, { name })) as {
    token: string;
    program: { id: string };
  };
const address = (agent = "ada") => new URL(`${app.url}/mcp/${agent}`);
const bearer = (of: string) => ({ authorization: `Bearer ${of}` });
const info = { name: "test-program", version: "1" };

async function connect(mode: "legacy" | { pin: string }, answering?: Answering, of = token): Promise<Client> {
  const client = new Client(info, {
    capabilities: answering ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode },
  });
  if (answering) client.setRequestHandler("elicitation/create", ({ params }) => answering({ ...params }));
  await client.connect(
    new StreamableHTTPClientTransport(address(), { requestInit: { headers: bearer(of) } }),
  );
  return client;
}

describe.each([
  ["initialize", "legacy" as const],
  ["2026-07-28", modern],
])("over HTTP by %s", (_name, mode) => {
  it("tools are listed and called, twenty at once, with progress and the guard", async () => {
    const client = await connect(mode);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("fledge_hello__hello");
    const call = (text: string) => client.callTool({ name: "kit__echo", arguments: { text } });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => call(String(index))));
    expect(answers.map(textOf)).toEqual(Array.from({ length: 20 }, (_, index) => `echo ${index}`));
    expect(textOf(await call("gold"))).toContain("warden blocked");
    const heard: (string | undefined)[] = [];
    await client.callTool({ name: "kit__steps" }, { onprogress: ({ message }) => heard.push(message) });
    // The SDK's client drops progress that arrives in one piece with the answer.
    expect(heard).toContain("one");
    expect(textOf(await client.callTool({ name: "kit__picture" }))).toContain("cannot show you the question");
    await client.close();
  });

  it("a yes counts once the person has typed the code that Patchbay shows", async () => {
    const before = app.codes.count;
    const client = await connect(mode, async ({ message }) => ({
      action: "accept",
      content: { answer: message.includes("confirmation code") ? await app.codes.after(before) : "once" },
    }));
    const { content } = await client.callTool({ name: "kit__picture" });
    expect(content).toMatchObject([{ type: "image", mimeType: "image/png" }]);
    await client.close();
  });

  it("a call ends with its request", async () => {
    await app.rest("PUT", "/agents/ada/tools/kit__wait/rule", { effect: "allow" });
    const client = await connect(mode);
    const stop = new AbortController();
    const waiting = client.callTool(
      { name: "kit__wait" },
      { signal: stop.signal, onprogress: () => stop.abort(new Error("enough")) },
    );
    await expect(waiting).rejects.toThrow("enough");
    expect(textOf(await client.callTool({ name: "kit__echo", arguments: { text: "on" } }))).toBe("echo on");
    await client.close();
  });

  it("a changed rule is told", async () => {
    const client = await connect(mode);
    await client.listTools();
    const changed = Promise.withResolvers<void>();
    client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve());
    if (mode !== "legacy") await client.listen({ toolsListChanged: true });
    const effect = mode === "legacy" ? "ask" : "allow";
    await app.rest("PUT", "/agents/ada/tools/kit__wait/rule", { effect });
    await changed.promise;
    await client.close();
  });
});

it("the client of 2025 is served with a session of its own", async () => {
  const client = new OldClient(info);
  const transport = new OldTransport(address(), { requestInit: { headers: bearer(token) } });
  await client.connect(transport);
  expect(transport.sessionId).toMatch(/^[\w-]{32}$/);
  const result = await client.callTool({ name: "kit__echo", arguments: { text: "old" } });
  expect(textOf(result)).toBe("echo old");
  const { token: others } = await letIn("ada", "Other");
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-session-id": transport.sessionId ?? "",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const as = (who: string, session = headers["mcp-session-id"]) =>
    ask(address().href, {
      method: "POST",
      body,
      headers: { ...headers, "mcp-session-id": session, ...bearer(who) },
    });
  expect((await as(token)).status).toBe(200);
  expect((await as(others)).status).toBe(404);
  expect((await as(token, "A".repeat(32))).status).toBe(404);
  await client.close();
});

describe("nobody else gets in", () => {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info },
  });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const send = (more: Record<string, string>, agent = "ada", text: string | Buffer = body) =>
    ask(address(agent).href, { method: "POST", body: text, headers: { ...headers, ...more } });

  it("without a token, with a wrong one, from another page, under another name, or for another agent", async () => {
    expect((await send({})).status).toBe(401);
    expect((await send(bearer("A".repeat(60)))).status).toBe(401);
    expect((await send({ ...bearer(token), origin: "https://example.com" })).status).toBe(403);
    expect((await send({ ...bearer(token), host: "example.com" })).status).toBe(403);
    expect((await send(bearer(token), "ben")).status).toBe(403);
    expect((await send(bearer(app.token), "nobody")).status).toBe(404);
    expect((await send(bearer(app.token), "ben")).status).toBe(200);
  });

  it("the token opens nothing else", async () => {
    for (const path of ["/api/agents", "/api/openapi.json", "/rpc/agents/list"])
      expect((await ask(`${app.url}${path}`, { headers: bearer(token) })).status).toBe(401);
  });

  it("with 40 MB, or what is no message", async () => {
    expect((await send(bearer(token), "ada", Buffer.alloc(40 * 1024 * 1024, "x"))).status).toBe(413);
    expect((await send(bearer(token), "ada", "hello")).status).toBe(400);
  });

  it("once what was given is taken back", async () => {
    const { token: given, program } = await letIn("ada", "Short");
    const client = await connect("legacy", undefined, given);
    await app.rest("DELETE", `/programs/${program.id}`);
    await expect(client.callTool({ name: "kit__echo", arguments: { text: "x" } })).rejects.toThrow();
    expect((await send(bearer(given))).status).toBe(401);
  });
});
