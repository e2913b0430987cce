import { mkdir, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { DriveReport } from "../../src/cli/mcp-client/drive.ts";
import { type Bench, openBench } from "../cli/support.ts";
import { ClientDocument } from "./servers/client-document.ts";
import { HttpServer, modernHandler, sessionHandler, sseHandler } from "./servers/over-http.ts";
import { redirectsAtOnce } from "./servers/redirects-at-once.ts";

let bench: Bench;
const servers: HttpServer[] = [];
beforeAll(async () => {
  bench = await openBench();
});
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
afterAll(() => bench.remove());

async function open(...of: Parameters<typeof HttpServer.open>): Promise<HttpServer> {
  const server = await HttpServer.open(...of);
  servers.push(server);
  return server;
}

async function drive(...args: string[]) {
  const { code, stdout, stderr, json } = await bench.patchbay(["mcp-client", ...args]);
  expect(stderr).toBe("");
  expect(stdout).not.toBe("");
  return { code, report: json<DriveReport & Record<string, unknown>>() };
}

test.each([
  [
    "modern",
    () => modernHandler("reject"),
    { era: "modern", version: "2026-07-28", server: { name: "modern", version: "2" } },
  ],
  ["both", () => modernHandler("stateless"), { era: "modern", version: "2026-07-28" }],
  [
    "sessions",
    () => sessionHandler(),
    { era: "legacy", version: "2025-11-25", server: { name: "old", version: "1" } },
  ],
  ["stream", () => sseHandler(), { era: "legacy", version: "2025-11-25" }],
] as const)(
  "a server is driven to its end, and one document says what came of it: %s",
  async (_name, handler, spoken) => {
    const { url } = await open(handler());
    const { code, report } = await drive("--url", url);
    expect(report).toMatchObject({ url, ...spoken, prompts: [], resources: [], asked: [], problems: [] });
    expect(report.tools).toEqual([
      { name: "era", input: {}, outcome: "done", content: [{ type: "text", text: spoken.era }] },
    ]);
    expect(code).toBe(0);
  },
);

test("its prompts and resources are asked for, too", async () => {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(
        { name: "shelf", version: "1" },
        { capabilities: { prompts: {}, resources: {} } },
      );
      const name = z.string();
      server.registerPrompt("greet", { argsSchema: z.object({ name }) }, ({ name: who }) => ({
        messages: [{ role: "user", content: { type: "text", text: `Greet ${who}.` } }],
      }));
      server.registerResource("note", "note://one", {}, async (uri) => ({
        contents: [{ uri: uri.href, text: "one" }],
      }));
      return server;
    },
    { legacy: "reject" },
  );
  const { url } = await open(toNodeHandler(handler));
  const { code, report } = await drive("--url", url);
  expect(report).toMatchObject({
    prompts: [{ name: "greet", outcome: "done", content: [{ type: "text", text: "Greet test." }] }],
    resources: [{ name: "note://one", outcome: "done", details: [{ uri: "note://one", text: "one" }] }],
    problems: [],
  });
  expect(code).toBe(0);
});

test("the address can be the last word, and headers go with each request", async () => {
  const handler = sessionHandler();
  const keyed = ({ headers }: IncomingMessage) =>
    headers.authorization === "Bearer right" && headers["x-more"] === "a: b";
  const { url } = await open((request, response) =>
    keyed(request) ? handler(request, response) : response.writeHead(401).end(),
  );
  const { code } = await drive("--header", "Authorization: Bearer right", "--header", "X-More: a: b", url);
  expect(code).toBe(0);
  const refused = await drive(url);
  expect(refused.code).toBe(1);
  expect(refused.report).toMatchObject({ era: null, tools: [], problems: [{ code: "CREDENTIALS_REFUSED" }] });
});

test.each(["none", "client_secret_basic", "client_secret_post"] as const)(
  "it signs in without a browser where the provider asks nobody, and again for a right that is missing: %s",
  async (clientAuth) => {
    let origin = "";
    const { handle, seen } = redirectsAtOnce(clientAuth, () => origin);
    const { url } = await open(handle);
    origin = new URL(url).origin;
    const { code, report } = await drive("--url", url);
    expect(report).toMatchObject({ era: "legacy", tools: [{ name: "era", outcome: "done" }], problems: [] });
    expect(code).toBe(0);
    expect(seen).toEqual([
      { client: "made-for-you", scope: "list", resource: url, auth: clientAuth },
      { client: "made-for-you", scope: "list call", resource: url, auth: clientAuth },
    ]);
  },
);

test("it is known by a public document where the provider takes one", async () => {
  const document = await ClientDocument.open();
  try {
    const authority = join(bench.home, "authority.pem");
    await mkdir(bench.home, { recursive: true });
    await writeFile(authority, document.authority);
    let origin = "";
    const { handle, seen } = redirectsAtOnce("none", () => origin, true);
    const { url } = await open(handle);
    origin = new URL(url).origin;
    const { code, stdout } = await bench.patchbay(
      ["mcp-client", "--client-metadata-url", document.url, "--url", url],
      { env: { NODE_EXTRA_CA_CERTS: authority } },
    );
    expect(JSON.parse(stdout)).toMatchObject({ tools: [{ name: "era", outcome: "done" }], problems: [] });
    expect(code).toBe(0);
    expect(seen).toMatchObject([{ client: document.url }, { client: document.url, scope: "list call" }]);
  } finally {
    await document.close();
  }
});

test.each([
  ["none", []],
  ["client_secret_basic", ["--client-secret", "between-us-two"]],
] as const)("it signs in as a client that was made before, and has none made: %s", async (auth, secret) => {
  let origin = "";
  const { handle, seen } = redirectsAtOnce(auth, () => origin);
  const asked: string[] = [];
  const { url } = await open((request, response) => {
    asked.push(request.url ?? "");
    return handle(request, response);
  });
  origin = new URL(url).origin;
  const { code, report } = await drive("--client-id", "made-before", ...secret, "--url", url);
  expect(report).toMatchObject({ tools: [{ name: "era", outcome: "done" }], problems: [] });
  expect(code).toBe(0);
  expect(seen).toMatchObject([
    { client: "made-before", scope: "list", auth },
    { client: "made-before", scope: "list call", auth },
  ]);
  expect(asked).toContain("/token");
  expect(asked).not.toContain("/register");
});

test("one that does not answer is left after the time that was given", async () => {
  const { url } = await open(() => {});
  const begun = performance.now();
  const { code, report } = await drive("--url", url, "--timeout", "1");
  expect(code).toBe(1);
  expect(report.problems).toMatchObject([{ code: "START_TIMEOUT" }]);
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test.each([
  [[], "an address is missing"],
  [["--url", "http://127.0.0.1:1", "--header", "nonsense"], "--header expects"],
  [
    ["--client-metadata-url", "patchbay.json", "http://127.0.0.1:1"],
    "--client-metadata-url expects an address",
  ],
  [
    ["--client-credentials", "--client-id", "x", "http://127.0.0.1:1"],
    "--client-credentials expects --client-id and",
  ],
  [["--url", "http://127.0.0.1:1", "--timeout", "long"], "--timeout expects seconds"],
])("%j is bad usage", async (args, says) => {
  const { code, stderr } = await bench.patchbay(["mcp-client", ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});

test("what is no address is said in words, and the help does not name the command", async () => {
  const { code, report } = await drive("--url", "file:///etc/passwd");
  expect(code).toBe(1);
  expect(report.problems).toMatchObject([{ code: "SPEC_UNSUPPORTED" }]);
  expect((await bench.patchbay(["--help"])).stdout).not.toContain("mcp-client");
});
