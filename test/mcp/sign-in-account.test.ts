import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Bench, openBench } from "../cli/support.ts";
import { leaksIn } from "../support/spellings.ts";
import { McpApp } from "./mcp-app.ts";
import { SignedInServer } from "./servers/signed-in.ts";
import { SignInWizard } from "./sign-in-wizard.ts";

const keys = {
  rsa: generateKeyPairSync("rsa", { modulusLength: 2_048 }),
  ec: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  other: generateKeyPairSync("ec", { namedCurve: "P-256" }),
};
const pem = (key: KeyObject) => String(key.export({ type: "pkcs8", format: "pem" }));
const jwk = JSON.stringify({ ...keys.ec.privateKey.export({ format: "jwk" }), kid: "one" });
const secret = "a-secret-of-the-machine-4711";

const account = (id: string, more: object) => ({
  client_id: id,
  redirect_uris: [],
  response_types: [],
  grant_types: ["client_credentials"],
  ...more,
});
const byKey = (id: string, alg: string, key: KeyObject, kid?: string) =>
  account(id, {
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: alg,
    jwks: { keys: [{ ...key.export({ format: "jwk" }), alg, use: "sig", ...(kid && { kid }) }] },
  });

let app: McpApp;
let server: SignedInServer;
let bench: Bench;
let key: string;
let wizard: SignInWizard;
beforeAll(async () => {
  const clients = [
    account("machine", { client_secret: secret }),
    byKey("rsa", "RS256", keys.rsa.publicKey),
    byKey("ec", "ES256", keys.ec.publicKey, "one"),
  ];
  [app, server, bench] = await Promise.all([McpApp.open(), SignedInServer.open({ clients }), openBench()]);
  await app.install(`mcp:${server.url}`);
  key = new URL(server.url).host.replace(/[.:]/g, "-");
});
afterEach(async () => {
  await wizard?.cancel();
  server.granted.length = 0;
  server.asked.length = 0;
});
afterAll(() => Promise.all([app.close(), server.close(), bench.remove()]));

/** The wizard at the form for a machine account. */
async function asked(reason?: "sign_in_again"): Promise<SignInWizard> {
  wizard = await SignInWizard.begin(app, key, reason);
  expect(wizard.step("menu").options.map(({ value }) => value)).toEqual(["go", "own", "account"]);
  return wizard.answer({ kind: "choice", choice: "account" });
}

async function entered(values: Record<string, string>): Promise<SignInWizard> {
  await (await asked()).answer({ kind: "values", values });
  return wizard;
}

const listed = () => app.call(`${key}__list_tickets`);

test.each([
  ["its secret", { client_id: "machine", client_secret: secret }],
  [
    "an RSA key in one line",
    { client_id: "rsa", client_secret: pem(keys.rsa.privateKey).replaceAll("\n", "") },
  ],
  ["a JSON Web Key", { client_id: "ec", client_secret: jwk }],
])(
  "a machine account signs in by %s, without a person, for the server alone, and again by itself",
  async (_name, values) => {
    await entered(values);
    expect(await wizard.until(({ kind }) => kind === "done" || kind === "error")).toMatchObject({
      kind: "done",
    });
    expect(await listed()).toMatchObject({ outcome: "executed", text: "two tickets" });
    await server.revoke(false);
    expect((await Promise.all([listed(), listed()])).map(({ text }) => text)).toEqual([
      "two tickets",
      "two tickets",
    ]);
    const grant = {
      grant: "client_credentials",
      client: values.client_id,
      resource: server.url,
      scope: "tickets:read",
    };
    expect(server.granted).toEqual([grant, grant]);
    expect(server.asked.map(({ at }) => at)).not.toContain("GET /auth");
  },
);

test("a right that is missing is asked for with what was entered before, and signing out takes the token back", async () => {
  await entered({ client_id: "machine", client_secret: secret });
  await wizard.until(({ kind }) => kind === "done");
  expect(JSON.stringify(await app.call(`${key}__close_ticket`))).toContain("needs the right tickets:write");
  await asked("sign_in_again");
  expect(wizard.step("form").fields).toMatchObject([{ key: "client_id", default: "machine" }, {}]);
  await wizard.answer({ kind: "values", values: { client_id: "machine" } });
  await wizard.until(({ kind }) => kind === "done");
  expect(await app.call(`${key}__close_ticket`)).toMatchObject({ text: "closed" });
  await app.client.setup.signOut({ agentId: app.agentId, key });
  expect(server.asked.map(({ at }) => at)).toContain("POST /token/revocation");
});

test("the secret, the key and the tokens are in no file, no log and no view", async () => {
  await entered({ client_id: "rsa", client_secret: pem(keys.rsa.privateKey) });
  await wizard.until(({ kind }) => kind === "done");
  await listed();
  const line = pem(keys.rsa.privateKey).split("\n")[3] ?? "";
  const named = {
    secret,
    line,
    ...Object.fromEntries(server.tokens.map((token, at) => [`token ${at}`, token])),
  };
  const { agentId } = app;
  const seen = [
    await app.client.agentPlugins.get({ agentId, key }),
    await app.client.setup.get({ agentId, key }),
  ];
  expect(leaksIn(JSON.stringify(seen), named)).toEqual([]);
  for (const file of await readdir(app.root, { recursive: true, withFileTypes: true }))
    if (file.isFile())
      expect(leaksIn(await readFile(join(file.parentPath, file.name)), named), file.name).toEqual([]);
  await app.client.setup.signOut({ agentId, key });
});

test.each<[string, Record<string, string>, string]>([
  ["a wrong secret", { client_id: "machine", client_secret: "wrong" }, "refused the sign-in"],
  ["a client that is unknown", { client_id: "nobody", client_secret: secret }, "refused the sign-in"],
  ["another's key", { client_id: "ec", client_secret: pem(keys.other.privateKey) }, "refused the sign-in"],
])("%s is refused in a sentence, and can be entered anew", async (_name, values, says) => {
  await entered(values);
  const step = await wizard.until(({ kind }) => kind === "error" || kind === "done");
  expect(step).toMatchObject({ kind: "error", problem: { code: "SIGN_IN_FAILED" }, canRetry: true });
  expect(JSON.stringify(step)).toContain(says);
  expect(JSON.stringify(step)).not.toContain(secret);
  expect(server.granted).toEqual([]);
});

test.each([
  ["key", { client_id: "ec", client_secret: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" }],
  ["key", { client_id: "ec", client_secret: JSON.stringify(keys.ec.publicKey.export({ format: "jwk" })) }],
])("what is no private key is sent nowhere, and said at the form: %s", async (fault, values) => {
  const form = (await entered(values)).step("form");
  expect(form).toMatchObject({
    about: { kind: "account", fault },
    problem: expect.stringContaining("no private key"),
  });
  expect(server.asked.map(({ at }) => at)).not.toContain("POST /token");
});

test("a server that names another provider later gets neither the secret nor a token for it", async () => {
  await entered({ client_id: "machine", client_secret: secret });
  await wizard.until(({ kind }) => kind === "done");
  const evil = `${server.origin}/evil`;
  const json = (value: object) => (_request: unknown, response: ServerResponse) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify(value));
  const told = {
    issuer: evil,
    token_endpoint: `${evil}/token`,
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
  };
  Object.assign(server.instead, {
    "/.well-known/oauth-protected-resource/mcp": json({
      resource: server.url,
      authorization_servers: [evil],
    }),
    "/.well-known/oauth-authorization-server/evil": json(told),
    // Where a secret would be handed on to.
    "/evil/token": (_request: unknown, response: ServerResponse) =>
      response.writeHead(307, { location: `${server.origin}/token` }).end(),
  });
  try {
    await server.revoke(false);
    // The running server goes on with the provider that it was agreed to.
    expect(await listed()).toMatchObject({ text: "two tickets" });
    wizard = await SignInWizard.begin(app, key, "sign_in_again");
    expect(wizard.step("menu").options.map(({ value }) => value)).toEqual(["account"]);
    await wizard.answer({ kind: "choice", choice: "account" });
    const [id, typed] = wizard.step("form").fields;
    expect(id?.default).toBeUndefined();
    expect(typed?.required).toBe(true);
    expect(server.asked.filter(({ at }) => at.startsWith("POST /evil"))).toEqual([]);
    // A key that it says it does not take, and a redirect with what was entered, end there.
    await wizard.answer({ kind: "values", values: { client_id: "ec", client_secret: jwk } });
    expect(wizard.step("form").about).toMatchObject({ fault: "no-keys" });
    server.granted.length = 0;
    await wizard.answer({ kind: "values", values: { client_id: "machine", client_secret: secret } });
    expect(await wizard.until(({ kind }) => kind === "error")).toMatchObject({ kind: "error" });
    expect(server.granted).toEqual([]);
  } finally {
    for (const path of Object.keys(server.instead)) delete server.instead[path];
  }
});

test.each([
  ["its secret", ["--client-id", "machine", "--client-secret", secret], 0],
  ["its key", ["--client-id", "ec", "--client-secret", jwk], 0],
  ["a wrong secret", ["--client-id", "machine", "--client-secret", "wrong"], 1],
])("the driver signs a machine account in by %s", async (_name, args, ends) => {
  const { code, stdout } = await bench.patchbay(["mcp-client", "--client-credentials", ...args, server.url]);
  const { tools, problems } = JSON.parse(stdout);
  expect(code, stdout).toBe(ends);
  if (ends === 0) expect(tools).toMatchObject([{ outcome: "done" }, { outcome: "done" }]);
  else expect(problems).toMatchObject([{ code: "SIGN_IN_FAILED" }]);
  expect(server.granted.map(({ grant }) => grant)).toEqual(
    ends === 0 ? ["client_credentials", "client_credentials"] : [],
  );
});
