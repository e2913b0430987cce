import tls from "node:tls";
import { runSetup } from "@patchbay/plugin-sdk/test";
import { afterEach, expect, it } from "vitest";
import xmpp from "../../plugins/xmpp/src/index.ts";
import { InProcess, until } from "./in-process.ts";
import { type Certificate, TestAuthority } from "./xmpp/certificates.ts";
import { Prosody } from "./xmpp/prosody.ts";

/** Connections that are encrypted, with a real server, and certificates good and bad. */
const known = tls.getCACertificates("default");
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  tls.setDefaultCACertificates(known);
  for (const one of closing.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function serverWith(certificate: Certificate): Promise<Prosody> {
  const server = await Prosody.open(["ada"], { certificate });
  closing.push({ [Symbol.asyncDispose]: () => server.close() });
  return server;
}

async function authority(): Promise<TestAuthority> {
  const made = await TestAuthority.open();
  closing.push(made);
  return made;
}

async function open(server: Prosody): Promise<InProcess> {
  const { channel } = xmpp.parseConfig({
    channel: {
      jid: "ada@localhost",
      password: "secret-of-ada",
      host: `127.0.0.1:${server.port}`,
      owners: ["olga@localhost"],
      timeScale: 400,
    },
  });
  const bot = await InProcess.start((ctx) => xmpp.channel.start(channel, ctx));
  closing.push(bot);
  return bot;
}

it("connects where an authority that this computer trusts vouches for the server", async () => {
  const vouching = await authority();
  const server = await serverWith(await vouching.sign("localhost"));
  // As NODE_EXTRA_CA_CERTS does it at the start of a process.
  tls.setDefaultCACertificates([...known, vouching.pem]);
  const bot = await open(server);
  await bot.connected();
  expect([bot.state.account, bot.error]).toEqual(["ada@localhost", null]);
});

it.each([
  [
    "signed by itself",
    (from: TestAuthority) => from.selfSigned("localhost"),
    "is not known to this computer",
  ],
  [
    "signed by nobody it knows",
    (from: TestAuthority) => from.sign("localhost"),
    "is not known to this computer",
  ],
])("does not connect, and sends no password, where the certificate is %s", async (_what, make, words) => {
  const server = await serverWith(await make(await authority()));
  const bot = await open(server);
  await until("it is said", () => bot.error?.includes(words) === true);
  expect(bot.error).toMatch(/^XMPP cannot be reached: The certificate of the server/);
  // It goes on trying: a certificate may be put right.
  expect(["degraded", "connecting"]).toContain(bot.state.status);
  expect(bot.words).not.toContain("secret-of");
});

it("does not connect where the certificate was made for another server", async () => {
  const vouching = await authority();
  tls.setDefaultCACertificates([...known, vouching.pem]);
  const bot = await open(await serverWith(await vouching.sign("elsewhere.example")));
  await until("it is said", () => bot.error?.includes("belongs to another server") === true);
});

it("says in the wizard that the certificate is the reason, and goes on once it is trusted", async () => {
  const vouching = await authority();
  const server = await serverWith(await vouching.sign("localhost"));
  const account = { jid: "ada@localhost", password: "secret-of-ada", host: `127.0.0.1:${server.port}` };
  const problems: string[] = [];
  const { states } = await runSetup(xmpp, {
    answer: (state) => {
      if (state.kind !== "awaiting_user_input" || state.fields[0]?.key !== "jid")
        return { owners: "olga@localhost" };
      if (state.problem !== undefined) {
        problems.push(state.problem);
        tls.setDefaultCACertificates([...known, vouching.pem]);
      }
      return account;
    },
    mostStates: 8,
  });
  expect(problems).toEqual([
    expect.stringContaining("certificate of the server is not known to this computer"),
  ]);
  expect(states.at(-1)).toMatchObject({ kind: "done", account: "ada@localhost" });
});
