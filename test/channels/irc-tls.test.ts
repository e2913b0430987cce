import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";
import type { SetupState } from "@patchbay/plugin-sdk";
import { runSetup } from "@patchbay/plugin-sdk/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import irc from "../../plugins/irc/src/index.ts";
import { until } from "./in-process.ts";
import { BotOn, SECRET } from "./irc/bot-on.ts";
import { Ngircd } from "./irc/ngircd.ts";
import { TestAuthority } from "./xmpp/certificates.ts";

/** A real server behind TLS, with certificates that nobody vouches for. */
let server: Ngircd;
let authority: TestAuthority;
let front: Server;
let port: number;
/** Bytes that clients sent through. */
let heard = "";
const sockets = new Set<TLSSocket>();

beforeAll(async () => {
  authority = await TestAuthority.open();
  server = await Ngircd.open("", true);
  const on = new BotOn(server);
  await on.person("ada");
  await on.close();
  const { key, certificate } = await authority.selfSigned("irc.test.local");
  front = createServer({ key: await readFile(key), cert: await readFile(certificate) }, (socket) => {
    sockets.add(socket);
    const behind = connect(server.port, "127.0.0.1");
    socket.on("data", (chunk) => {
      heard += chunk.toString("utf8");
      behind.write(chunk);
    });
    behind.on("data", (chunk) => socket.write(chunk));
    socket.on("error", () => {}).on("close", () => behind.destroy());
    behind.on("error", () => {}).on("close", () => socket.destroy());
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  port = (front.address() as AddressInfo).port;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  front.close();
  await server.close();
  await authority[Symbol.asyncDispose]();
});

const network = () => ({
  server: "127.0.0.1",
  port: String(port),
  nick: "ada",
  account: "ada",
  password: SECRET,
});
const asksAbout = (state: SetupState) =>
  state.kind === "awaiting_choice"
    ? (state.instructions?.match(/(?:[0-9A-F]{2}:){31}[0-9A-F]{2}/)?.[0] ?? "")
    : "";

it("the wizard shows the fingerprint of an unknown certificate and asks; that one is accepted from then on", async () => {
  let fingerprint = "";
  const { config, states } = await runSetup(irc, {
    answer: (state) => {
      if (state.kind === "awaiting_choice") {
        fingerprint = asksAbout(state);
        // Until the person has agreed nothing was said to that server, least of all a password.
        expect(heard).toBe("");
        return { choice: "trust" };
      }
      return state.kind === "awaiting_user_input" && state.step === 0 ? network() : { owners: "olga" };
    },
  });
  expect(fingerprint).not.toBe("");
  expect(states.map(({ kind }) => kind)).toContain("awaiting_choice");
  // The server has no SASL, which the wizard finds out by itself.
  expect(config).toMatchObject({ fingerprint, signIn: "nickserv", encrypted: true, owners: ["olga"] });
  const on = new BotOn(server);
  const bot = await on.bot({ ...config, timeScale: 100 });
  await bot.connected();
  await on.close();
});

it("a certificate that the person does not know is not accepted, and nothing was said to the server", async () => {
  heard = "";
  let asked = 0;
  const answer = (state: SetupState): Record<string, unknown> => {
    if (state.kind === "awaiting_choice") {
      asked += 1;
      return { choice: asked === 1 ? "back" : "trust" };
    }
    if (asked === 1 && state.kind === "awaiting_user_input" && state.step === 0) {
      expect(state.problem).toContain("The certificate of the server is not known to this computer");
      expect(heard).toBe("");
    }
    return state.kind === "awaiting_user_input" && state.step === 0 ? network() : {};
  };
  await runSetup(irc, { answer });
  expect(asked).toBe(2);
});

it("another certificate than the agreed one is refused with a sentence, before anything is said", async () => {
  heard = "";
  const on = new BotOn(server);
  const fingerprint = "AB:".repeat(31).concat("CD");
  const bot = await on.bot({
    port,
    encrypted: true,
    fingerprint,
    account: "ada",
    password: SECRET,
    serverPassword: SECRET,
  });
  await until("refused", () => bot.state.status === "degraded");
  expect(bot.error).toMatch(
    /^The certificate of the server is another one than you agreed to \(SHA-256 [0-9A-F:]{95}\)/,
  );
  expect(heard).toBe("");
  await on.close();
});
