import { readdir, readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Browser } from "../support/identity-provider.ts";
import { leaksIn } from "../support/spellings.ts";
import { McpApp } from "./mcp-app.ts";
import { type SignedInOptions, SignedInServer } from "./servers/signed-in.ts";
import { SignInWizard } from "./sign-in-wizard.ts";

let app: McpApp;
let browser: Browser;
const servers: SignedInServer[] = [];
beforeEach(async () => {
  app = await McpApp.open();
  browser = new Browser();
});
afterEach(async () => {
  await app?.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server that wants a sign-in, installed by its address. */
async function open(options: SignedInOptions = {}) {
  const server = await SignedInServer.open(options);
  servers.push(server);
  expect(await app.install(`mcp:${server.url}`)).toMatchObject({ status: "done" });
  return { server, key: new URL(server.url).host.replace(/[.:]/g, "-") };
}

async function signedIn(key: string, reason?: "sign_in_again"): Promise<void> {
  const wizard = await SignInWizard.begin(app, key, reason);
  await wizard.answer({ kind: "choice", choice: "go" });
  expect(await wizard.signIn(browser)).toMatchObject({ kind: "done" });
}

const row = (key: string) => app.client.agentPlugins.get({ agentId: app.agentId, key });

test("a server that wants a sign-in says so, and the wizard says who signs in where with which rights", async () => {
  const { server, key } = await open();
  const { host } = new URL(server.origin);
  expect((await app.switchOn(key)).instance).toMatchObject({
    state: "needs_setup",
    reason: { code: "NEEDS_SETUP", message: `${host} wants you to sign in.` },
  });
  const wizard = await SignInWizard.begin(app, key);
  const { about, instructions } = wizard.step("menu");
  expect(about).toEqual({
    kind: "sign-in",
    server: host,
    provider: host,
    scopes: ["tickets:read"],
    more: [],
  });
  expect(instructions).toContain("It asks for these rights: tickets:read.");
  expect(server.asked.map(({ at }) => at)).not.toContain("POST /reg");
  await wizard.answer({ kind: "choice", choice: "go" });
  const { searchParams } = new URL(wizard.step("oauth").url);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    resource: server.url,
    code_challenge_method: "S256",
    scope: "tickets:read offline_access",
    state: expect.any(String),
  });
  expect(await wizard.signIn(browser)).toMatchObject({ kind: "done" });
  expect(await app.call(`${key}__list_tickets`)).toMatchObject({ outcome: "executed", text: "two tickets" });
});

test("a token that is refused is renewed once for all calls, and the calls are made again", async () => {
  const { server, key } = await open();
  await signedIn(key);
  await app.call(`${key}__list_tickets`);
  await server.revoke(false);
  const renewals = () => server.asked.filter(({ at }) => at === "POST /token").length;
  const before = renewals();
  const calls = await Promise.all([1, 2, 3].map(() => app.call(`${key}__list_tickets`)));
  expect(calls.map(({ text }) => text)).toEqual(["two tickets", "two tickets", "two tickets"]);
  expect(renewals() - before).toBe(1);
});

test("a right that is missing is asked for at the next sign-in, beside those that were given", async () => {
  const { key } = await open();
  await signedIn(key);
  const refused = await app.call(`${key}__close_ticket`);
  expect(JSON.stringify(refused)).toContain(
    "close_ticket needs the right tickets:write. Sign in again to grant it.",
  );
  expect((await row(key)).instance.reason).toMatchObject({ code: "CREDENTIALS_REFUSED" });
  const wizard = await SignInWizard.begin(app, key);
  const { about } = wizard.step("menu");
  expect(about).toMatchObject({ scopes: ["tickets:read", "tickets:write"], more: ["tickets:write"] });
  await wizard.answer({ kind: "choice", choice: "go" });
  expect(await wizard.signIn(browser)).toMatchObject({ kind: "done" });
  expect(await app.call(`${key}__close_ticket`)).toMatchObject({ outcome: "executed", text: "closed" });
});

test("a sign-in that the provider took back is said, can be made again, and is ended for good by signing out", async () => {
  const { server, key } = await open();
  await signedIn(key);
  await app.call(`${key}__list_tickets`);
  await server.revoke(true);
  await app.call(`${key}__list_tickets`);
  expect((await row(key)).instance.reason).toMatchObject({
    code: "CREDENTIALS_REFUSED",
    message: expect.stringContaining("does not accept the sign-in any more"),
  });
  await signedIn(key);
  expect(await app.call(`${key}__list_tickets`)).toMatchObject({ text: "two tickets" });
  await app.client.setup.signOut({ agentId: app.agentId, key });
  expect(server.asked.map(({ at }) => at)).toContain("POST /token/revocation");
  expect((await app.switchOn(key)).instance.reason).toMatchObject({ code: "NEEDS_SETUP" });
});

test("a provider that has forgotten Patchbay is told of it anew at the next try", async () => {
  const { server, key } = await open();
  await signedIn(key);
  await server.forgetClients();
  const wizard = await SignInWizard.begin(app, key, "sign_in_again");
  await wizard.answer({ kind: "choice", choice: "go" });
  // It is said in the browser alone.
  expect((await browser.open(wizard.step("oauth").url)).status).toBe(400);
  await wizard.cancel();
  await signedIn(key, "sign_in_again");
  expect(await app.call(`${key}__list_tickets`)).toMatchObject({ text: "two tickets" });
});

test("an OAuth client that another program has comes along, its secret in the vault and sent to the provider alone", async () => {
  const secret = "a-secret-of-the-client-4711";
  const client = {
    client_id: "mine",
    client_secret: secret,
    token_endpoint_auth_method: "client_secret_basic",
    application_type: "native",
    redirect_uris: ["http://127.0.0.1/callback"],
    grant_types: ["authorization_code", "refresh_token"],
  };
  const server = await SignedInServer.open({ registers: false, clients: [client] });
  servers.push(server);
  const auth = { CLIENT_ID: "mine", CLIENT_SECRET: secret };
  expect(await app.install(JSON.stringify({ far: { url: server.url, auth } }))).toMatchObject({
    status: "done",
    consent: { secrets: [{ key: "CLIENT_SECRET" }] },
  });
  await app.client.agentPlugins.bring({ agentId: app.agentId, key: "far" });
  const wizard = await SignInWizard.begin(app, "far");
  await wizard.answer({ kind: "values", values: {} });
  const { about, instructions } = wizard.step("menu");
  const { host } = new URL(server.origin);
  expect(about).toMatchObject({ client: { id: "mine", secret: true } });
  expect(instructions).toContain(
    `It uses the client mine that came with the server, and sends its secret to ${host}.`,
  );
  await wizard.answer({ kind: "choice", choice: "go" });
  expect(await wizard.signIn(browser)).toMatchObject({ kind: "done" });
  expect(await app.call("far__list_tickets")).toMatchObject({ text: "two tickets" });
  await server.revoke(false);
  expect(await app.call("far__list_tickets")).toMatchObject({ text: "two tickets" });
  await expectInNoFile({ secret });

  // A server that names another provider later gets the secret sent nowhere.
  const evil = `${server.origin}/evil`;
  const json = (value: object) => (_request: unknown, response: ServerResponse) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify(value));
  server.instead["/.well-known/oauth-protected-resource/mcp"] = json({
    resource: server.url,
    authorization_servers: [evil],
  });
  server.instead["/.well-known/oauth-authorization-server/evil"] = json({
    issuer: evil,
    authorization_endpoint: `${evil}/auth`,
    token_endpoint: `${evil}/token`,
    code_challenge_methods_supported: ["S256"],
  });
  await server.revoke(true);
  await app.call("far__list_tickets");
  const again = await SignInWizard.begin(app, "far", "sign_in_again");
  await again.answer({ kind: "choice", choice: "go" });
  expect(again.step("error").problem).toMatchObject({
    code: "PROVIDER_FAILED",
    message: expect.stringContaining(`the secret of its client was for ${host}`),
  });
  expect(server.asked.filter(({ at }) => at.includes("/evil/"))).toEqual([]);
});

test("the tokens are in no file, no log and no view", async () => {
  const { server, key } = await open();
  await signedIn(key);
  await app.call(`${key}__list_tickets`);
  await app.call(`${key}__close_ticket`);
  const { tokens } = server;
  expect(tokens.length).toBeGreaterThan(1);
  const { agentId } = app;
  const named = Object.fromEntries(tokens.map((token, at) => [`token ${at}`, token]));
  const seen = [await row(key), await app.client.setup.get({ agentId, key })];
  expect(leaksIn(JSON.stringify(seen), named)).toEqual([]);
  await expectInNoFile(named);
});

async function expectInNoFile(secrets: Record<string, string>): Promise<void> {
  for (const file of await readdir(app.root, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    // One that was being written has by now taken the place of the file that it is for.
    const path = join(file.parentPath, file.name.replace(/(\.[0-9a-f]+)?\.tmp(-.*)?$/, ""));
    expect(leaksIn(await readFile(path), secrets), file.name).toEqual([]);
  }
}
