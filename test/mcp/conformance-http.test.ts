import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { McpApp } from "./mcp-app.ts";
import {
  brokenOff,
  type CallAnswer,
  crookedHttp,
  rightAnswers,
  wrongAnswers,
} from "./servers/crooked-http.ts";
import { HttpServer } from "./servers/over-http.ts";

let app: McpApp;
const servers: HttpServer[] = [];
beforeAll(async () => {
  app = await McpApp.open();
  await app.client.app.updateSettings({ limits: { startMs: 8_000, toolMs: 4_000 } });
});
afterAll(async () => {
  await app?.close();
  await Promise.all(servers.map((server) => server.close()));
});

let count = 0;
/** Installs a server at an address, and switches it on. */
async function run(...of: Parameters<typeof HttpServer.open>) {
  const server = await HttpServer.open(...of);
  servers.push(server);
  count += 1;
  const key = `at${count}`;
  const dir = join(app.root, key);
  await mkdir(dir);
  const file = {
    schema: 1,
    name: key,
    origin: { kind: "manual" },
    server: { type: "remote", url: server.url },
  };
  await writeFile(join(dir, "patchbay-mcp.json"), JSON.stringify(file));
  expect(await app.install(dir)).toMatchObject({ status: "done", problem: null });
  const { instance, lastError } = await app.switchOn(key);
  const call = (name: string, input?: Record<string, unknown>) => app.call(`${key}__${name}`, input);
  return { server, key, instance, lastError, call };
}

test.each(Object.entries(rightAnswers))("a call that is answered with %s", async (_what, answer) => {
  const { call } = await run(crookedHttp(answer));
  expect(await call("good")).toMatchObject({ outcome: "executed", text: "good" });
});

test("a call whose events break off is gone on with from the last one, after the time that the server said", async () => {
  const { called, other, came } = brokenOff();
  const { call } = await run(crookedHttp(called, other));
  expect(await call("good")).toMatchObject({ outcome: "executed", text: "good" });
  expect(came).toEqual([{ lastEvent: "41", after: expect.any(Number) }]);
  expect(came[0]?.after).toBeGreaterThanOrEqual(299);
});

const says = {
  "error 500": ["SERVER_UNREACHABLE", /answered with an error \(500\)/],
  "error 401": ["NEEDS_SETUP", /127\.0\.0\.1:\d+ wants you to sign in/],
  "error 403": ["CREDENTIALS_REFUSED", /127\.0\.0\.1/],
  "a web page": ["SERVER_UNREACHABLE", /something else than messages of MCP, such as a web page/],
  "no content type": ["SERVER_UNREACHABLE", /something else than messages of MCP/],
  "no JSON": ["TOOL_FAILED", /good answered in a form that cannot be read/],
  "JSON that is no message": ["TOOL_FAILED", /good answered in a form that cannot be read/],
  "the end in the middle": ["SERVER_UNREACHABLE", /the connection was cut/],
  "events that end too soon": ["TOOL_TIMEOUT", /4 s/],
  "a redirect": ["SERVER_UNREACHABLE", /\(307\)/],
  "a drip without end": ["TOOL_TIMEOUT", /4 s/],
  "events without end": ["TOOL_TIMEOUT", /4 s/],
  "text without end": ["TOOL_FAILED", /more than 32 MB/],
} satisfies Record<keyof typeof wrongAnswers, [code: string, says: RegExp]>;

test.each(Object.entries(wrongAnswers))(
  "a call that is answered with %s fails alone, in words",
  async (what, answer) => {
    let isWrong = true;
    const { call } = await run(
      crookedHttp((response, id, request) => {
        const now: CallAnswer = isWrong ? answer : rightAnswers["one event"];
        return now(response, id, request);
      }),
    );
    const [code, words] = says[what as keyof typeof says];
    const { error } = await call("good");
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    // A person reads no sentence of a library, and nothing of its own.
    expect(String((error as Error).message)).not.toMatch(
      /POSTing|fetch failed|JSON at position|Unexpected|undefined|invalid_/,
    );
    isWrong = false;
    expect(await call("good")).toMatchObject({ outcome: "executed", text: "good" });
  },
);

test.each([
  ["a web page", "text/html", "<h1>Hello</h1>"],
  ["other JSON", "application/json", '{"hello":"world"}'],
] as const)("an address that has %s says that it is no server", async (_what, type, body) => {
  const { lastError } = await run((_request, response) =>
    response.writeHead(200, { "content-type": type }).end(body),
  );
  expect(lastError).toMatchObject({
    code: expect.stringMatching(/SERVER_UNREACHABLE|TOOL_FAILED/),
    message: expect.not.stringMatching(/POSTing|JSON at position|Unexpected|undefined|invalid_/),
  });
});

test("arguments that a server wants in headers are sent there, and what cannot be is left out with its tool", async () => {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "modern", version: "2" }, { capabilities: { tools: {} } });
      const region = z.string().meta({ "x-mcp-header": "Region" });
      server.registerTool("where", { inputSchema: z.object({ region }) }, async ({ region: said }) => ({
        content: [{ type: "text", text: said }],
      }));
      const many = z.array(z.string().meta({ "x-mcp-header": "Many" }));
      server.registerTool("wrong", { inputSchema: z.object({ many }) }, async () => ({ content: [] }));
      return server;
    },
    { legacy: "reject" },
  );
  const { server, instance, call } = await run(toNodeHandler(handler));
  expect(instance.contributions?.notes).toEqual([
    "1 of 2 tools is left out, its description is faulty: wrong.",
  ]);
  for (const region of ["eu", "Zürich\r\nX-Evil: 1"])
    expect(await call("where", { region })).toMatchObject({ outcome: "executed", text: region });
  const sent = server.seen.flatMap(({ headers }) => headers["mcp-param-region"] ?? []);
  expect(sent).toEqual(["eu", "=?base64?WsO8cmljaA0KWC1FdmlsOiAx?="]);
  expect(server.seen.some(({ headers }) => "x-evil" in headers)).toBe(false);
});

test("a server is told of a call that is given up", async () => {
  const told: string[] = [];
  const { call } = await run(
    crookedHttp(
      (response) => response.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n"),
      undefined,
      (method) => void told.push(method),
    ),
  );
  expect((await call("good")).error).toMatchObject({ code: "TOOL_TIMEOUT" });
  await expect.poll(() => told).toContain("notifications/cancelled");
});
