import { readFile } from "node:fs/promises";

/**
 * A channel that can be connected in several ways, so that every kind of step is seen: a choice, a form, a code to scan or
 * to type, a page to visit, a sign-in. The other side is the phone simulator (`test/support/phone.ts`) or a provider,
 * whose address is typed into the form. The address `broken:<how>` brings a failure about.
 */
const sessions = new Map();

const ask = async (session, path) => {
  const answer = await fetch(`${session.service}${path}`, { method: "POST" });
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  return answer.json();
};

const steps = ["Choose a way", "Find the service", "Connect"];
const texts = {
  scan: "On your phone: Settings → Linked devices → Link new device",
  code: "On your phone: Settings → Linked devices → Link with a code",
  page: "Confirm there that Helper may read and write for you.",
};
const titles = { scan: "Link your phone", code: "Link with a code", page: "Confirm at the service" };

const shownTo = (session, pairing) => ({
  kind: "awaiting_external",
  title: titles[session.way],
  instructions: texts[session.way],
  ...(session.way === "scan" && { qrText: pairing.qr }),
  ...(session.way !== "page" && { code: pairing.code }),
  ...(session.way !== "code" && { redirectUrl: `${session.service}/pair/${session.pairing}` }),
  pollIntervalMs: 150,
  expiresInMs: pairing.goodForMs,
  attempt: { number: pairing.number, of: pairing.of },
  steps,
  step: 2,
});

const stateOf = async (session, ctx) => {
  const pairing = await ask(session, `/pairings/${session.pairing}/state`);
  if (pairing.status === "refused") return { kind: "error", message: "The phone refused the link." };
  if (pairing.status !== "linked") return shownTo(session, pairing);
  await ctx.credentialStore.replace("device", { identityKey: pairing.identityKey });
  const config = { service: session.service, account: pairing.account, session_token: pairing.token };
  return { kind: "done", config, account: pairing.account };
};

const broken = (how) => {
  switch (how) {
    case "throws":
      throw new Error("The service is closed on Sundays.");
    case "hangs":
      return new Promise(() => {});
    case "nonsense":
      return { kind: "awaiting_magic" };
    case "exits":
      return process.exit(3);
    case "unsafe":
      return {
        kind: "awaiting_external",
        instructions: "",
        redirectUrl: "http://example.test/",
        pollIntervalMs: 100,
      };
    case "refused":
      return { kind: "done", config: { account: "+blocked" } };
    default:
      throw new Error(`Nothing is broken in the way “${how}”.`);
  }
};

/** Who the provider says this is, with a token that is renewed when it is refused. */
const whoIs = async (issuer, oauth) => {
  const askAs = (token) => fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${token}` } });
  let token = await oauth.token();
  let answer = await askAs(token);
  if (answer.status === 401) {
    token = await oauth.token(token);
    answer = await askAs(token);
  }
  return { token, ...(await answer.json()) };
};

/** With some accounts the service is asked first, so that a test can look at what goes on meanwhile. */
const mayGoOn = async (channel, place) => {
  if (channel?.account === "+held") await fetch(`${channel.service}/hold/${place}`, { method: "POST" });
};

const form = (session) => ({
  kind: "awaiting_user_input",
  title: "Find the service",
  instructions: session.wrong ?? "Your operator has given you these.",
  fields: [
    { key: "service", label: "Address", type: "text", required: true, placeholder: "https://" },
    { key: "pin", label: "PIN", type: "password", help: "Six digits. It is not kept." },
    { key: "delay", label: "Delay", type: "number" },
  ],
  steps,
  step: 1,
});

export default {
  manifestVersion: 1,
  key: "courier",
  displayName: "Courier",
  description: "Brings messages to the agent and back.",
  permissions: { network: true, files: "workspace" },
  async parseConfig(config) {
    if (config.channel?.account === "+blocked") throw new Error("This number is blocked.");
    await mayGoOn(config.channel, "checked");
    return config;
  },
  channel: {
    start: async (config, ctx) => {
      if (!config.account) return undefined;
      await mayGoOn(config, "started");
      ctx.reportRuntimeState({ account: config.account });
      const tokens = new Set();
      return {
        name: config.account,
        outbound: {
          channel: "courier",
          send: async ({ to }) =>
            to === "nowhere" ? { success: false, error: "there is no such chat" } : { success: true },
        },
        stop: async () => {},
        /** Tells it from outside to be unlinked, or to ask the provider who it is. */
        handleWebhook: async ({ rawBody }) => {
          if (String(rawBody) === "unlink") {
            ctx.reportRuntimeError("The device was unlinked on the phone.", { credentialsRefused: true });
            return { status: 200, body: "unlinked" };
          }
          const { token, sub } = await whoIs(config.issuer, ctx.oauth);
          tokens.add(token);
          ctx.reportRuntimeState({ signedInAs: sub, tokensUsed: tokens.size });
          return { status: 200, body: sub };
        },
      };
    },
    setup: {
      begin: async (_input, ctx) => {
        const sessionId = `s${sessions.size + 1}`;
        sessions.set(sessionId, { reason: ctx.reason });
        // The folder of the agent, in which the setup runs, may say that it breaks before its first step.
        const how = await readFile("courier-breaks", "utf8").catch(() => null);
        if (how !== null) return { sessionId, state: await broken(how) };
        return {
          sessionId,
          state: {
            kind: "awaiting_choice",
            title: "How do you want to connect?",
            options: [
              { value: "scan", label: "With my phone", help: "Scan a code; nothing to type." },
              { value: "code", label: "With a code", help: "Type a short code on the phone." },
              { value: "page", label: "On the web", help: "Confirm it on the service's page." },
              { value: "account", label: "With my account", help: "Sign in with the provider of your team." },
            ],
            steps,
            step: 0,
          },
        };
      },
      submit: async (sessionId, input, ctx) => {
        const session = sessions.get(sessionId);
        if (input.accessToken) {
          const config = { account: "ada@example.test", issuer: session.service };
          return { kind: "done", config, account: "ada@example.test" };
        }
        if (input.choice) {
          session.way = input.choice;
          return form(session);
        }
        if (input.pin === "000000")
          return form({ ...session, wrong: "That PIN is wrong. Type it once more." });
        const service = String(input.service);
        if (service.startsWith("broken:")) return broken(service.slice("broken:".length));
        session.service = service;
        if (session.way === "account")
          return {
            kind: "awaiting_oauth",
            issuer: session.service,
            clientId: "patchbay",
            scopes: ["openid", "offline_access"],
            parameters: { prompt: "consent" },
            ...(input.delay && { redirect: { port: Number(input.delay) } }),
            steps,
            step: 2,
          };
        session.pairing = (await ask(session, "/pairings")).id;
        return stateOf(session, ctx);
      },
      poll: (sessionId, ctx) => stateOf(sessions.get(sessionId), ctx),
      cancel: async (sessionId) => {
        const session = sessions.get(sessionId);
        sessions.delete(sessionId);
        if (session?.pairing) await ask(session, `/pairings/${session.pairing}/cancel`);
      },
    },
  },
};
