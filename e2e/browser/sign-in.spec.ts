import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "@playwright/test";
import type { SetupView } from "../../src/contract/index.ts";
import { IdentityProvider } from "../../test/support/identity-provider.ts";
import type { App } from "../support/app.ts";
import { test as base, callCourier, expect } from "../support/courier.ts";
import type { WizardScreen } from "../support/wizard.ts";

/** Courier, signed in at a real provider in a real browser. */
const test = base.extend<{ provider: IdentityProvider }>({
  provider: async ({ app: _ }, use) => {
    const provider = await IdentityProvider.open();
    await use(provider);
    await provider.close();
  },
});

test.describe.configure({ timeout: 120_000 });

/** Goes as far as the sign-in. */
async function toSignIn(wizard: WizardScreen, provider: string, port = ""): Promise<void> {
  await wizard.choose("With my account");
  await wizard.dialog.getByLabel("Delay").fill(port);
  await wizard.give(provider);
}

/** Follows the link of the step into a page of its own. */
async function openPage(wizard: WizardScreen, link: string | RegExp): Promise<Page> {
  const context: BrowserContext = wizard.app.page.context();
  const [page] = await Promise.all([
    context.waitForEvent("page"),
    wizard.dialog.getByRole("link", { name: link }).click(),
  ]);
  return page;
}

/** What the person does at the provider's pages. */
async function allow(page: Page): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill("ada");
  await page.getByPlaceholder("and password").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

type Issued = Partial<Record<"AccessToken" | "RefreshToken", { destroy(): Promise<void> }>>;

/** The tokens that the provider has given out last, so that it can take them back. */
class IssuedTokens {
  #last: Issued = {};

  constructor(provider: IdentityProvider) {
    provider.oidc.on("grant.success", (context) => {
      this.#last = (context as { oidc: { entities: Issued } }).oidc.entities;
    });
  }

  async take(...which: (keyof Issued)[]): Promise<void> {
    for (const kind of which) {
      const token = this.#last[kind];
      if (!token) throw new Error(`The provider gave out no ${kind}.`);
      await token.destroy();
    }
  }
}

const setupOf = (app: App, agent = "helper") =>
  app.ask<SetupView>("GET", `/agents/${agent}/plugins/courier/setup`);

/** Where the browser is to come back to. */
async function redirectOf(wizard: WizardScreen): Promise<URL> {
  await wizard.expectStep("oauth");
  const { step } = await setupOf(wizard.app);
  if (step.kind !== "oauth") throw new Error(`No sign-in is waited for: ${step.kind}`);
  return new URL(new URL(step.url).searchParams.get("redirect_uri") ?? "");
}

test("by browser: denied, tried again, not taken in by another state, then done; refreshed, revoked and signed in again", async ({
  app,
  wizard,
  provider,
  traces,
}) => {
  const tokens = new IssuedTokens(provider);
  await app.card("Courier").getByRole("switch").click();
  await toSignIn(wizard, provider.issuer);
  await expect(wizard.dialog.getByText(/Patchbay never sees your password/)).toBeVisible();
  const denied = await openPage(wizard, "Open the sign-in page");
  await expect(wizard.dialog.getByText("Waiting for your browser…").first()).toBeVisible();
  await denied.getByRole("link", { name: /Cancel/ }).click();
  await wizard.expectStep("error");
  await expect(wizard.dialog.getByRole("alert")).toContainText(/denied|refused|cancelled/i);
  await denied.close();
  await wizard.button("Cancel").click();
  await traces.expectNone();

  await app.card("Courier").getByRole("switch").click();
  await toSignIn(wizard, provider.issuer);
  const stolen = await redirectOf(wizard);
  stolen.search = "?code=stolen&state=wrong";
  expect((await fetch(stolen)).status).toBe(400);
  await wizard.expectStep("oauth");
  const page = await openPage(wizard, "Open the sign-in page");
  await allow(page);
  await expect(page.getByText("You are back")).toBeVisible();
  await page.close();
  await expect(wizard.dialog.getByText("Connected as ada@example.test")).toBeVisible();
  await wizard.button("Done").click();

  expect(await (await callCourier(app.home, "who")).text()).toBe("ada");
  await tokens.take("AccessToken");
  expect(await (await callCourier(app.home, "who")).text()).toBe("ada");
  await app.openPlugin("Courier", "Activity");
  await expect(app.page.locator('[data-value="tokensUsed"]')).toContainText("2");

  await tokens.take("AccessToken", "RefreshToken");
  await callCourier(app.home, "who");
  await expect(app.page.getByText("Courier is not let in any more")).toBeVisible();
  await app.page.getByRole("link", { name: "Plugins of Helper" }).click();
  await app.card("Courier").getByRole("button", { name: "Sign in again" }).click();
  await expect(wizard.dialog.getByText("Signed in again for Helper")).toBeVisible();
  await toSignIn(wizard, provider.issuer);
  const again = await openPage(wizard, "Open the sign-in page");
  await again.getByRole("button", { name: "Continue" }).click();
  await wizard.expectStep("done");
  await wizard.button("Show Courier").click();
  expect(await (await callCourier(app.home, "who")).text()).toBe("ada");
  await app.page.getByRole("tab", { name: "Setup" }).click();
  await app.page.getByRole("button", { name: "Sign out" }).click();
  await app.page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(app.page.getByRole("switch", { name: "Switch Courier on" })).not.toBeChecked();
  await expect(app.page.getByRole("button", { name: "Sign out" })).toBeHidden();
});

test("by a code on another device", async ({ app, wizard, provider }) => {
  await app.card("Courier").getByRole("switch").click();
  await toSignIn(wizard, provider.issuer);
  const listener = await redirectOf(wizard);
  await wizard.button("Use a code on another device instead").click();
  await expect(wizard.dialog.getByRole("status", { name: "Code to type" })).toHaveText(/^[A-Z0-9-]{6,}$/);
  await expect(fetch(listener)).rejects.toThrow();
  const page = await openPage(wizard, "Open the page");
  await page.getByRole("button", { name: "Continue" }).click();
  await allow(page);
  await expect(wizard.dialog.getByText("Connected as ada@example.test")).toBeVisible({ timeout: 20_000 });
});

test("a provider that answers HTML, 500, nothing or late is named, and the setup can be closed", async ({
  app,
  wizard,
  traces,
}) => {
  const answers: [RequestListener, RegExp][] = [
    [
      (_request, response) => void response.setHeader("content-type", "text/html").end("<h1>Hi</h1>"),
      /provider|sign-in/i,
    ],
    [(_request, response) => void response.writeHead(500).end(), /500|provider/i],
    [(request) => void request.socket.destroy(), /reach/i],
  ];
  for (const [listener, said] of answers) {
    await app.card("Courier").getByRole("switch").click();
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await toSignIn(wizard, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await wizard.expectStep("error");
    await expect(wizard.dialog.getByRole("alert")).toContainText(said);
    await new Promise((resolve) => server.close(resolve));
    await wizard.button("Cancel").click();
  }
  await app.card("Courier").getByRole("switch").click();
  const slow = createServer(() => {});
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
  await toSignIn(wizard, `http://127.0.0.1:${(slow.address() as AddressInfo).port}`);
  await expect(wizard.dialog.getByText("Courier takes its time…")).toBeVisible({ timeout: 20_000 });
  await wizard.stop();
  slow.closeAllConnections();
  await new Promise((resolve) => slow.close(resolve));
  await traces.expectNone();
});

test("a port that is taken is said; two agents sign in at once without disturbing each other", async ({
  app,
  wizard,
  provider,
}) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  await app.card("Courier").getByRole("switch").click();
  await toSignIn(wizard, provider.issuer, String((taken.address() as AddressInfo).port));
  await wizard.expectStep("error");
  await expect(wizard.dialog.getByRole("alert")).toContainText(/port/i);
  await new Promise((resolve) => taken.close(resolve));
  await wizard.button("Cancel").click();

  const { id } = await app.ask<{ id: string }>("POST", "/agents", { name: "Second" });
  await app.card("Courier").getByRole("switch").click();
  await toSignIn(wizard, provider.issuer);
  const first = await openPage(wizard, "Open the sign-in page");
  await app.page.reload();
  await wizard.expectStep("oauth");
  const base = `/agents/${id}/plugins/courier/setup`;
  let view = await app.ask<SetupView>("POST", `${base}/begin`, {});
  const answer = async (given: object) => {
    view = await app.ask<SetupView>("POST", `${base}/submit`, {
      sessionId: view.id,
      stepId: view.step.id,
      answer: given,
    });
  };
  await answer({ choice: "account" });
  await answer({ values: { service: provider.issuer } });
  if (view.step.kind !== "oauth") throw new Error(view.step.kind);
  const second = await app.page.context().newPage();
  await second.goto(view.step.url);
  await allow(second);
  await expect(second.getByText("You are back")).toBeVisible();
  await expect.poll(async () => (await setupOf(app, id)).step.kind).toBe("done");
  await wizard.expectStep("oauth");
  await allow(first);
  await wizard.expectStep("done");
});
