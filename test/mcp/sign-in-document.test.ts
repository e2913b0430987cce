import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Browser } from "../support/identity-provider.ts";
import { McpApp } from "./mcp-app.ts";
import { type Change, ClientDocument } from "./servers/client-document.ts";
import { SignedInServer } from "./servers/signed-in.ts";
import { SignInWizard } from "./sign-in-wizard.ts";

let app: McpApp;
let server: SignedInServer;
let document: ClientDocument;
let key: string;
let wizard: SignInWizard | undefined;
beforeAll(async () => {
  [document, app, server] = await Promise.all([
    ClientDocument.open(),
    McpApp.open(),
    SignedInServer.open({ takesDocuments: true, registers: false }),
  ]);
  await app.install(`mcp:${server.url}`);
  key = new URL(server.url).host.replace(/[.:]/g, "-");
});
afterEach(async () => {
  await wizard?.cancel();
  server.asked.length = 0;
  server.granted.length = 0;
});
afterAll(() => Promise.all([app.close(), server.close(), document.close()]));

/** The wizard after the person agreed to sign in, with the document changed. */
async function begun(more: Change = {}): Promise<SignInWizard> {
  document.renew(more);
  await app.client.app.updateSettings({ clientMetadataUrl: document.url });
  wizard = await SignInWizard.begin(app, key);
  return wizard.answer({ kind: "choice", choice: "go" });
}

test("a provider takes the address of the document for a client id, signs in with it, and renews", async () => {
  const opened = await begun();
  const { searchParams } = new URL(opened.step("oauth").url);
  expect(searchParams.get("client_id")).toBe(document.url);
  expect(searchParams.get("resource")).toBe(server.url);
  // Read here before anything was opened, and now by the provider.
  expect(document.asked).toBe(1);
  expect(await opened.signIn(new Browser())).toMatchObject({ kind: "done" });
  expect(document.asked).toBe(2);
  expect(await app.call(`${key}__list_tickets`)).toMatchObject({ text: "two tickets" });
  await server.revoke(false);
  expect(await app.call(`${key}__list_tickets`)).toMatchObject({ text: "two tickets" });
  const { granted } = server;
  expect(granted.map(({ grant }) => grant)).toEqual(["authorization_code", "refresh_token"]);
  for (const { client, resource } of granted) {
    expect(client).toBe(document.url);
    expect(resource).toBe(server.url);
  }
});

test("a document that names a port has the browser come back to that port", async () => {
  const named = await begun({ redirect_uris: ["https://other.example/", "http://127.0.0.1:47813/callback"] });
  const { searchParams } = new URL(named.step("oauth").url);
  expect(searchParams.get("redirect_uri")).toBe("http://127.0.0.1:47813/callback");
});

test.each<[string, Change, string]>([
  [
    "says that it is another's",
    { client_id: "https://evil.example/client.json" },
    '"client_id" "https://evil.example/client.json"; it must be that address',
  ],
  ["says of no client whose it is", { client_id: undefined }, '"client_id" nothing'],
  [
    "leads back to another place",
    { redirect_uris: ["https://evil.example/callback", "http://127.0.0.1.evil.example/callback"] },
    'does not name "http://127.0.0.1/callback" among its "redirect_uris"',
  ],
  [
    "leads back to another path",
    { redirect_uris: ["http://127.0.0.1/callback/more"] },
    'does not name "http://127.0.0.1/callback"',
  ],
  ["wants a secret", { token_endpoint_auth_method: "client_secret_post" }, '"token_endpoint_auth_method"'],
  ["says nothing of a secret", { token_endpoint_auth_method: undefined }, 'it must be "none"'],
  [
    "is elsewhere",
    (response) => response.writeHead(302, { location: "https://evil.example/client.json" }).end(),
    "its place sends on",
  ],
  ["is not there", (response) => response.writeHead(404).end("{}"), "answers with 404"],
  ["is a page", (response) => response.end("<h1>Hi</h1>"), "is no JSON object"],
  ["is far too large", (response) => response.end("x".repeat(1_000_000)), "is far too large"],
  ["breaks off", (response) => response.destroy(), "does not answer"],
])("a document that %s is refused before anything is opened", async (_name, more, says) => {
  const { problem } = (await begun(more)).step("error");
  expect(problem.code).toBe("SETUP_FAILED");
  expect(problem.message).toContain(`The public description of this Patchbay at ${document.url} `);
  expect(problem.message).toContain(says);
  expect(problem.help).toContain("Settings › Sources");
  expect(server.asked.map(({ at }) => at)).not.toContain("GET /auth");
});

test.each<[string, Change]>([
  ["is another's", { client_id: "https://evil.example/client.json" }],
  ["leads back elsewhere", { redirect_uris: ["https://evil.example/callback"] }],
  ["is elsewhere", (response) => response.writeHead(302, { location: "https://evil.example/" }).end()],
])("the provider refuses a document that meanwhile %s, and no token is given", async (_name, more) => {
  const { url } = (await begun()).step("oauth");
  document.change(more);
  expect((await new Browser().open(url)).status).toBe(400);
  expect(server.granted).toEqual([]);
});
