import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SignIns } from "../../src/main/setup/oauth/sign-in.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { Browser, IdentityProvider } from "../support/identity-provider.ts";
import { PoolWorld, reference, textOf } from "../support/pool-world.ts";
import { SetupWorld } from "../support/setup-world.ts";

let world: PoolWorld;
let wizard: SetupWorld;
let clock: FakeClock;
let provider: IdentityProvider;
let browser: Browser;
const servers: Server[] = [];

beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.agent("bob");
  await world.install("mail");
  clock = new FakeClock();
  wizard = new SetupWorld(world, clock);
  provider = await IdentityProvider.open();
  browser = new Browser();
});
afterEach(async () => {
  await wizard.close();
  await world.pool.close();
  const left = world.alive();
  await world.close();
  await provider.close();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  expect(left).toEqual([]);
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const begin = (input: Record<string, unknown> = {}, agentId = "ada") =>
  wizard.setups.begin(agentId, "mail", { input: { issuer: provider.issuer, ...input } });
const row = () => world.agentPlugins.get("ada", "mail");
const whoami = async () =>
  JSON.parse(textOf(await world.call("ada", "mail__whoami", { resource: provider.userinfo })));

async function signIn(): Promise<void> {
  await begin();
  await browser.allow(wizard.step("mail", "oauth").url);
  await wizard.until("mail", (step) => step.kind === "done");
}

/** Whether anything listens where the browser was to be sent back. */
const listens = (url: string) =>
  fetch(new URL(url).searchParams.get("redirect_uri") ?? "").then(
    () => true,
    () => false,
  );

describe("a plugin that is signed in at a provider", () => {
  test("by browser: code, PKCE and state over a listener that is gone afterwards; the token works and is in no file", async () => {
    const { step } = await begin();
    expect(step).toMatchObject({ kind: "oauth", way: "browser", ways: ["browser", "device"], opened: true });
    const { url } = wizard.step("mail", "oauth");
    expect(wizard.opened).toEqual([url]);
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ code_challenge_method: "S256" });
    expect(await listens(url)).toBe(true);
    const back = await browser.allow(url);
    expect(back.body).toContain("You are back");
    const done = await wizard.until("mail", (shown) => shown.kind === "done");
    expect(done.step).toMatchObject({ account: "ada@example.test" });
    expect(await listens(url)).toBe(false);
    expect(row()).toMatchObject({
      enabled: true,
      config: { tools: { signed_in_with: reference("MAIL_SIGNED_IN_WITH") } },
      setupState: { finished: { grant: "MAIL_SIGN_IN" } },
    });
    await world.pool.wake("ada");
    expect(await whoami()).toEqual({ sub: "ada" });
  });

  test("by device code, after the browser was not wanted", async () => {
    await begin();
    const { url } = wizard.step("mail", "oauth");
    const { step } = await wizard.answer("mail", { kind: "way", way: "device" });
    expect(step).toMatchObject({ kind: "oauth", way: "device" });
    expect(await listens(url)).toBe(false);
    const device = wizard.step("mail", "oauth");
    expect(device.userCode).toMatch(/^[A-Z0-9-]+$/);
    await browser.allow(device.url);
    clock.advance(10_000);
    await wizard.until("mail", (shown) => shown.kind === "done");
    expect(row()).toMatchObject({ enabled: true });
  });

  test("renews its token ahead of the expiry and after a 401, once for many callers", async () => {
    await signIn();
    const first = await wizard.grants.token("ada", "mail");
    expect(await wizard.grants.token("ada", "mail")).toBe(first);
    clock.advance(3_600_000 - 30_000);
    const [second, third] = await Promise.all([
      wizard.grants.token("ada", "mail"),
      wizard.grants.token("ada", "mail"),
    ]);
    expect(second).not.toBe(first);
    expect(third).toBe(second);
    const fourth = await wizard.grants.token("ada", "mail", second);
    expect(fourth).not.toBe(second);
    expect(await wizard.grants.token("ada", "mail", second)).toBe(fourth);
    await world.pool.wake("ada");
    expect(await whoami()).toEqual({ sub: "ada" });
  });

  test("asks to sign in again when the provider has revoked it, and signs out for good", async () => {
    await signIn();
    await world.pool.wake("ada");
    const token = await wizard.grants.token("ada", "mail");
    const stored = JSON.parse(world.vault.resolve("MAIL_SIGN_IN", "ada") ?? "{}") as { refreshToken: string };
    const revoke = (value: string) =>
      fetch(`${provider.issuer}/token/revocation`, {
        method: "POST",
        body: new URLSearchParams({ token: value, client_id: "patchbay" }),
      });
    expect((await revoke(stored.refreshToken)).status).toBe(200);
    await revoke(token);
    await expect(whoami()).rejects.toThrow(/does not accept the sign-in any more/);
    await world.until(() => row()?.lastError?.code === "CREDENTIALS_REFUSED");
    expect((await begin()).reason).toBe("sign_in_again");
    await browser.allow(wizard.step("mail", "oauth").url);
    await wizard.until("mail", (step) => step.kind === "done");
    const renewed = await wizard.grants.token("ada", "mail");
    await wizard.owner.signOut("ada", "mail");
    const answer = await fetch(provider.userinfo, { headers: { authorization: `Bearer ${renewed}` } });
    expect(answer.status).toBe(401);
    await expect(wizard.grants.token("ada", "mail")).rejects.toMatchObject({ code: "CREDENTIALS_REFUSED" });
    const names = world.vault.list().map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("MAIL_SIGN_IN"))).toEqual([]);
  });

  test("that is denied says so, saves nothing and can be tried again", async () => {
    await begin();
    await browser.deny(wizard.step("mail", "oauth").url);
    const { step } = await wizard.until("mail", (shown) => shown.kind === "error");
    expect(step).toMatchObject({ problem: { code: "SIGN_IN_DENIED" }, canRetry: true });
    expect(row()).toMatchObject({ enabled: false, config: {} });
    expect((await wizard.answer("mail", { kind: "retry" })).step.kind).toBe("oauth");
    await new Browser().allow(wizard.step("mail", "oauth").url);
    await wizard.until("mail", (shown) => shown.kind === "done");
  });

  test("is not taken in by an address with another state, and goes on waiting", async () => {
    await begin();
    const { url } = wizard.step("mail", "oauth");
    const redirect = new URL(new URL(url).searchParams.get("redirect_uri") ?? "");
    redirect.search = "?code=stolen&state=wrong";
    const answer = await fetch(redirect);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("another sign-in");
    expect(wizard.step("mail", "oauth").url).toBe(url);
    await browser.allow(url);
    await wizard.until("mail", (shown) => shown.kind === "done");
  });

  test("whose browser never comes back ends after ten minutes", async () => {
    await begin();
    const { url } = wizard.step("mail", "oauth");
    clock.advance(10 * 60_000);
    const { step } = await wizard.until("mail", (shown) => shown.kind === "error");
    expect(step).toMatchObject({ problem: { code: "SIGN_IN_TIMEOUT" } });
    expect(await listens(url)).toBe(false);
  });

  test("two at once do not disturb each other; with one fixed port the second is told so", async () => {
    await begin();
    await begin({}, "bob");
    const bobs = wizard.setups.get("bob", "mail")?.step as { url: string };
    await new Browser().allow(bobs.url);
    await browser.allow(wizard.step("mail", "oauth").url);
    await wizard.until("mail", (shown) => shown.kind === "done");
    while (wizard.setups.get("bob", "mail")?.step.kind !== "done")
      await new Promise<void>((resolve) => wizard.setups.changes.once("setup", () => resolve()));

    const busy = Number(new URL(await serve(() => {})).port);
    const view = await wizard.setups.begin("ada", "mail", {
      input: { issuer: provider.issuer, redirect: { port: busy } },
    });
    expect(view.step).toMatchObject({ kind: "error", problem: { code: "PORT_IN_USE" } });
  });

  test("cancelled in the middle leaves no listener, no process and no row", async () => {
    const { id } = await begin();
    const { url } = wizard.step("mail", "oauth");
    await wizard.setups.cancel("ada", "mail", id);
    expect(await listens(url)).toBe(false);
    expect(world.alive()).toEqual([]);
    expect(row()).toBeUndefined();
  });

  test.each<[string, RequestListener, string]>([
    [
      "HTML",
      (_request, response) => void response.setHeader("content-type", "text/html").end("<h1>Hi</h1>"),
      "PROVIDER_FAILED",
    ],
    ["500", (_request, response) => void response.writeHead(500).end(), "PROVIDER_FAILED"],
    ["nothing", (request) => void request.socket.destroy(), "PROVIDER_UNREACHABLE"],
  ])("whose provider answers %s is an error in words", async (_name, listener, code) => {
    const issuer = await serve(listener);
    const { step } = await begin({ issuer });
    expect(step).toMatchObject({ kind: "error", problem: { code }, canRetry: true });
  });

  test.each<[string, RequestListener, string, string]>([
    [
      "an error",
      (_request, response) =>
        void response
          .writeHead(400, { "content-type": "application/json" })
          .end('{"error":"invalid_grant","error_description":"The code was used twice."}'),
      "SIGN_IN_FAILED",
      "The code was used twice",
    ],
    [
      "HTML",
      (_request, response) => void response.end("<h1>Hi</h1>"),
      "PROVIDER_FAILED",
      "no sign-in answer",
    ],
  ])("whose token endpoint answers %s says so", async (_name, listener, code, words) => {
    const address = await serve(listener);
    await begin({
      issuer: undefined,
      authorizationEndpoint: `${address}/auth`,
      tokenEndpoint: `${address}/token`,
    });
    const { searchParams } = new URL(wizard.step("mail", "oauth").url);
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({ code: "c", state: searchParams.get("state") ?? "" }).toString();
    await fetch(back);
    const { step } = await wizard.until("mail", (shown) => shown.kind === "error");
    expect(step).toMatchObject({ problem: { code } });
    expect(wizard.step("mail", "error").problem.message).toContain(words);
  });

  test("refuses a provider that is neither https nor on this machine", async () => {
    const { step } = await begin({ issuer: "http://example.test" });
    expect(step).toMatchObject({ kind: "error", problem: { code: "SETUP_INVALID" } });
  });

  test("listens on IPv6 too, where the machine has it", async () => {
    const signIns = new SignIns();
    const { signal } = new AbortController();
    const request = { kind: "awaiting_oauth" as const, issuer: provider.issuer, clientId: "patchbay" };
    const open = await signIns.start(request, "browser", signal);
    const { port } = new URL(new URL(open.url).searchParams.get("redirect_uri") ?? "");
    const six = await fetch(`http://[::1]:${port}/elsewhere`).then(
      ({ status }) => status,
      () => 0,
    );
    await open.close();
    const hasSix = await new Promise<boolean>((resolve) => {
      const probe = createServer().once("error", () => resolve(false));
      probe.listen(0, "::1", () => probe.close(() => resolve(true)));
    });
    expect(six).toBe(hasSix ? 404 : 0);
  });
});
