import { resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentPluginView, SecretInfo, SetupView } from "../../src/contract/index.ts";
import { Vault } from "../../src/main/secrets/index.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { type Bench, openBench } from "../cli/support.ts";
import { Browser, IdentityProvider } from "../support/identity-provider.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

let bench: Bench;
let provider: IdentityProvider;
let app: RunningApp;

beforeEach(async () => {
  bench = await openBench();
  provider = await IdentityProvider.open();
  app = await startApp(bench.home);
  await app.cli("plugin", "install", resolve("test/fixtures/plugins/mail"), "--yes");
});
afterEach(async () => {
  await app.close();
  await provider.close();
  await bench.remove();
});

/** Signs in for an agent; the access token that it got. */
async function signIn(agentId: string): Promise<string> {
  const setup = `/agents/${agentId}/plugins/mail/setup`;
  const input = { issuer: provider.issuer };
  const { id, step } = (await app.rest("POST", `${setup}/begin`, { input })) as SetupView;
  if (step.kind !== "oauth") throw new Error(JSON.stringify(step));
  await new Browser().allow(step.url);
  for (;;) {
    const now = (await app.rest("POST", `${setup}/poll`, { sessionId: id })) as SetupView;
    if (now.step.kind === "done") break;
    if (now.step.kind === "error") throw new Error(now.step.problem.message);
  }
  const vault = await Vault.open({
    storage: openFileStorage({ home: bench.home, onNotice() {} }),
    onNotice() {},
  });
  const { accessToken } = JSON.parse(vault.resolve("MAIL_SIGN_IN", agentId) ?? "{}") as {
    accessToken: string;
  };
  await vault.close();
  return accessToken;
}

const accepted = async (token: string) =>
  (await fetch(provider.userinfo, { headers: { authorization: `Bearer ${token}` } })).status === 200;
const names = async () => ((await app.rest("GET", "/secrets")) as SecretInfo[]).map(({ name }) => name);

test("uninstalling revokes every sign-in at the provider and keeps the settings; forgetting takes those too", async () => {
  await app.rest("POST", "/agents", { id: "other", name: "Other" });
  const tokens = [await signIn("helper"), await signIn("other")];
  for (const token of tokens) expect(await accepted(token)).toBe(true);

  await app.cli("plugin", "uninstall", "mail");
  for (const token of tokens) expect(await accepted(token)).toBe(false);
  expect(await names()).toEqual(["MAIL_SIGNED_IN_WITH", "MAIL_SIGNED_IN_WITH"]);
  const row = (await app.rest("GET", "/agents/helper/plugins/mail")) as AgentPluginView;
  expect(row).toMatchObject({
    enabled: true,
    plugin: null,
    config: { tools: { signed_in_with: "$" + "{MAIL_SIGNED_IN_WITH}" } },
    setupState: { finished: { grant: null, credentials: null } },
  });
  await app.rest("DELETE", "/agents/helper/plugins/mail");
  expect(await names()).toEqual(["MAIL_SIGNED_IN_WITH"]);
});

test("forgetting, and removing an agent, revoke too; a provider that is away keeps nobody from it", async () => {
  await app.rest("POST", "/agents", { id: "other", name: "Other" });
  const [forgotten, removed] = [await signIn("helper"), await signIn("other")];
  await app.rest("DELETE", "/agents/helper/plugins/mail");
  expect([await accepted(forgotten), await accepted(removed)]).toEqual([false, true]);
  await app.rest("DELETE", "/agents/other");
  expect(await accepted(removed)).toBe(false);
  // What it had besides its sign-in is kept with it until it is deleted for good.
  expect(await names()).toEqual(["MAIL_SIGNED_IN_WITH"]);
  const [kept] = (await app.rest("GET", "/removed")) as { id: string }[];
  await app.rest("DELETE", `/removed/${kept?.id}`);
  expect(await names()).toEqual([]);

  await signIn("helper");
  await provider.close();
  expect(await app.rest("DELETE", "/agents/helper/plugins/mail")).toEqual({ ok: true });
  expect(await names()).toEqual([]);
  provider = await IdentityProvider.open();
});
