import { mkdir, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Browser } from "../support/identity-provider.ts";
import { McpApp } from "./mcp-app.ts";
import { HttpServer, sessionHandler } from "./servers/over-http.ts";
import { type SignedInOptions, SignedInServer } from "./servers/signed-in.ts";
import { SignInWizard } from "./sign-in-wizard.ts";

let app: McpApp;
const closed: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  app = await McpApp.open();
});
afterEach(async () => {
  await app?.close();
  await Promise.all(closed.splice(0).map((server) => server.close()));
});

const keyOf = (server: SignedInServer) => new URL(server.url).host.replace(/[.:]/g, "-");

async function open(options: SignedInOptions = {}): Promise<SignedInServer> {
  const server = await SignedInServer.open(options);
  closed.push(server);
  expect(await app.install(`mcp:${server.url}`)).toMatchObject({ status: "done" });
  return server;
}

async function listen(...of: Parameters<typeof HttpServer.open>): Promise<HttpServer> {
  const server = await HttpServer.open(...of);
  closed.push(server);
  return server;
}

const json = (response: ServerResponse, value: unknown) =>
  response.setHeader("content-type", "application/json").end(JSON.stringify(value));
const resourceAt = "/.well-known/oauth-protected-resource/mcp";
const providerAt = "/.well-known/oauth-authorization-server";

/** What a server says of itself, with something changed; `own` is its own origin. */
const describes = (more: (own: string) => object): SignedInOptions["instead"] => ({
  [resourceAt]: ({ headers: { host } }, response) => {
    const own = `http://${host}`;
    json(response, { resource: `${own}/mcp`, authorization_servers: [own], ...more(own) });
  },
});
/** What a provider says of itself, with something changed. */
const provides = (more: (own: string) => object): SignedInOptions["instead"] => ({
  [providerAt]: ({ headers: { host } }, response) => {
    const own = `http://${host}`;
    json(response, {
      issuer: own,
      authorization_endpoint: `${own}/auth`,
      token_endpoint: `${own}/token`,
      code_challenge_methods_supported: ["S256"],
      ...more(own),
    });
  },
});
const answers = (
  path: string,
  answer: (response: ServerResponse) => unknown,
): SignedInOptions["instead"] => ({
  [path]: (_request, response) => answer(response),
});

test.each<[string, SignedInOptions["instead"], string]>([
  ["is for another host", describes(() => ({ resource: "https://bank.example/mcp" })), "for another address"],
  ["is for a place beside it", describes((own) => ({ resource: `${own}/mcp2` })), "for another address"],
  [
    "names a provider without TLS",
    describes(() => ({ authorization_servers: ["http://as.example"] })),
    "no secure address",
  ],
  [
    "leads to where clouds keep secrets",
    describes(() => ({ authorization_servers: ["https://169.254.169.254"] })),
    "which it may not reach",
  ],
  [
    "has a provider of another name",
    provides(() => ({ issuer: "https://as.example" })),
    "calls itself otherwise",
  ],
  ["has a provider of nearly its name", provides((own) => ({ issuer: `${own}/` })), "calls itself otherwise"],
  [
    "has a provider without PKCE",
    provides(() => ({ code_challenge_methods_supported: ["plain"] })),
    "does not protect the way back",
  ],
  [
    "has a provider whose page is a program",
    provides(() => ({ authorization_endpoint: "javascript:alert(1)" })),
    "missing or not secure",
  ],
  [
    "is sent on to the cloud's secrets",
    answers(providerAt, (response) =>
      response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
    ),
    "sends on to another place",
  ],
  [
    "answers with ten megabytes",
    answers(providerAt, (response) => response.end("x".repeat(10_000_000))),
    "far too much",
  ],
  [
    "answers with a page",
    {
      ...answers(providerAt, (response) => response.end("<h1>Hi</h1>")),
      ...answers("/.well-known/openid-configuration", (response) => response.end("<h1>Hi</h1>")),
    },
    "does not say how one signs in",
  ],
])("a sign-in that %s is refused before anything is sent", async (_name, instead, says) => {
  const server = await open({ ...(instead && { instead }) });
  const wizard = await SignInWizard.begin(app, keyOf(server));
  const { problem } = wizard.step("error");
  expect(problem.code).toBe("PROVIDER_FAILED");
  expect(problem.message).toMatch(/^The sign-in of .* does not check out \(.*\)\. No token was sent\.$/);
  expect(problem.message).toContain(says);
  expect(server.asked.map(({ at }) => at).filter((at) => at.startsWith("POST /reg"))).toEqual([]);
});

test("a description at another host is not even asked for", async () => {
  const other = await listen(() => {});
  const server = await open({ pointsTo: () => other.url });
  const wizard = await SignInWizard.begin(app, keyOf(server));
  expect(wizard.step("error").problem.message).toContain("points to the description of another host");
  expect(other.seen).toEqual([]);
});

test("a provider elsewhere on this computer is asked for only when the person allows it", async () => {
  const other = await listen(() => {});
  const { origin } = new URL(other.url);
  const server = await open({
    ...{ instead: describes(() => ({ authorization_servers: [origin] })) },
  });
  const { client, agentId } = app;
  const begun = SignInWizard.begin(app, keyOf(server));
  const question = await expect
    .poll(async () => (await client.dialogs.list({ agentId }))[0])
    .toMatchObject({ about: { kind: "host", host: new URL(origin).host } })
    .then(async () => (await client.dialogs.list({ agentId }))[0]);
  await client.dialogs.answer({ id: question?.id ?? "", answer: "no" });
  expect((await begun).step("error").problem.message).toContain("which it may not reach");
  expect(other.seen).toEqual([]);
});

test.each<[string, (server: SignedInServer) => Record<string, string>, string]>([
  ["of another provider", () => ({ iss: "https://evil.example" }), "another provider's"],
  ["that does not say whose it is", () => ({}), "does not say whose it is"],
])("an answer %s gets no code sent, and its words are not shown", async (_name, more, says) => {
  const server = await open();
  const wizard = await SignInWizard.begin(app, keyOf(server));
  await wizard.answer({ kind: "choice", choice: "go" });
  const { searchParams } = new URL(wizard.step("oauth").url);
  const back = new URL(searchParams.get("redirect_uri") ?? "");
  const state = searchParams.get("state") ?? "";
  const answer = { error: "x", error_description: "Call this number", code: "c", state, ...more(server) };
  back.search = new URLSearchParams(answer).toString();
  await fetch(back);
  const step = await wizard.until(({ kind }) => kind === "error");
  expect(JSON.stringify(step)).toContain(says);
  expect(JSON.stringify(step)).not.toContain("Call this number");
  expect(server.asked.map(({ at }) => at)).not.toContain("POST /token");
});

test("a provider that never answers is given up", async () => {
  const server = await open({ instead: { [providerAt]: () => {} } });
  await app.client.app.updateSettings({ limits: { startMs: 1_500 } });
  const wizard = await SignInWizard.begin(app, keyOf(server));
  expect(wizard.step("error").problem.code).toBe("SETUP_TIMEOUT");
});

test("a token goes to the server that it is for, and to no other that is set later", async () => {
  const server = await open();
  const other = await listen(sessionHandler());
  const dir = join(app.root, "moved");
  await mkdir(dir);
  const file = {
    schema: 1,
    name: "moved",
    origin: { kind: "manual" },
    server: { type: "remote", url: { input: "address" } },
    inputs: [{ name: "address", required: true }],
  };
  await writeFile(join(dir, "patchbay-mcp.json"), JSON.stringify(file));
  await app.install(dir);
  const wizard = await SignInWizard.begin(app, "moved");
  expect(wizard.step("form").fields).toMatchObject([{ key: "address", required: true }]);
  await wizard.answer({ kind: "values", values: { address: server.url } });
  await wizard.answer({ kind: "choice", choice: "go" });
  expect(await wizard.signIn(new Browser())).toMatchObject({ kind: "done" });
  expect(await app.call("moved__list_tickets")).toMatchObject({ text: "two tickets" });
  const moved = app.switchOn("moved", { address: other.url });
  await expect(moved).rejects.toThrow(/The sign-in is for another address/);
  expect(other.seen.map(({ headers }) => headers.authorization)).toEqual(other.seen.map(() => undefined));
  // The settings that worked are in use again.
  expect(await app.call("moved__list_tickets")).toMatchObject({ text: "two tickets" });
});

test("where apps are not registered by themselves, a client of one's own is entered", async () => {
  const redirect = "http://127.0.0.1:47813/callback";
  const server = await open({
    registers: false,
    clients: [
      {
        client_id: "mine",
        token_endpoint_auth_method: "none",
        application_type: "native",
        redirect_uris: [redirect],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
  });
  const wizard = await SignInWizard.begin(app, keyOf(server));
  await wizard.answer({ kind: "choice", choice: "go" });
  const { copy, about, instructions } = wizard.step("form");
  expect(copy?.text).toBe(redirect);
  expect(about).toEqual({ kind: "client-id", provider: new URL(server.origin).host });
  expect(instructions).toContain("does not register apps by itself");
  await wizard.answer({ kind: "values", values: { client_id: "mine" } });
  expect(await wizard.signIn(new Browser())).toMatchObject({ kind: "done" });
  expect(await app.call(`${keyOf(server)}__list_tickets`)).toMatchObject({ text: "two tickets" });
});

test("a server that wants a key and says nothing of a sign-in is given a key", async () => {
  const handler = sessionHandler();
  const server = await listen((request, response) =>
    request.headers.authorization === "Bearer right-and-long"
      ? handler(request, response)
      : response.writeHead(401).end(),
  );
  await app.install(`mcp:${server.url}`);
  const key = new URL(server.url).host.replace(/[.:]/g, "-");
  const wizard = await SignInWizard.begin(app, key);
  expect(wizard.step("form")).toMatchObject({
    about: { kind: "key", server: new URL(server.url).host },
    instructions: expect.stringContaining("wants a sign-in but does not say where"),
  });
  await wizard.answer({ kind: "values", values: { key: "right-and-long" } });
  expect(await wizard.until(({ kind }) => kind === "done")).toMatchObject({ kind: "done" });
  expect(await app.call(`${key}__era`)).toMatchObject({ text: "legacy" });
});
