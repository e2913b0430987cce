import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Locator, Page } from "@playwright/test";
import type { SetupView } from "../../src/contract/index.ts";
import { IdentityProvider } from "../../test/support/identity-provider.ts";
import type { App } from "../support/app.ts";
import { tabTo } from "../support/axe.ts";
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

async function openAt(wizard: WizardScreen, address: URL): Promise<Page> {
  const page = await wizard.app.page.context().newPage();
  await page.goto(address.href);
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
  const { host } = new URL(provider.issuer);
  await expect(wizard.dialog.getByRole("alert")).toContainText(`${host} did not let the plugin in`);
  await expect(denied.getByRole("heading", { name: "Not signed in" })).toBeVisible();
  await denied.close();
  await wizard.button("Cancel").click();
  await traces.expectNone();

  await app.card("Courier").getByRole("switch").click();
  await toSignIn(wizard, provider.issuer);
  const stolen = await wizard.redirect();
  stolen.search = "?code=stolen&state=wrong";
  const turnedAway = await openAt(wizard, stolen);
  await expect(turnedAway.getByRole("heading", { name: "Not this sign-in" })).toBeVisible();
  await expect(turnedAway.getByText(/^This page belongs to another sign-in/)).toBeVisible();
  await turnedAway.close();
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

test("by keyboard alone: in the browser first, then by a code on another device", async ({
  app,
  wizard,
  provider,
}) => {
  const { page } = app;
  const { dialog } = wizard;
  const press = async (target: Locator) => {
    await tabTo(page, target);
    await page.keyboard.press("Enter");
  };
  await tabTo(page, app.card("Courier").getByRole("switch"));
  await page.keyboard.press("Space");
  await expect(wizard.heading("How do you want to connect?")).toBeFocused();
  await press(wizard.button("With my account"));
  await expect(dialog.getByLabel("Address")).toBeFocused();
  await page.keyboard.type(provider.issuer);
  await page.keyboard.press("Enter");

  await expect(wizard.heading("Sign in to Courier")).toBeFocused();
  await expect(page.locator("body > #root [aria-live=polite].sr-only").last()).toHaveText(
    "Sign in to Courier",
  );
  const listener = await wizard.redirect();
  const link = dialog.getByRole("link", { name: "Open the sign-in page" });
  const [opened] = await Promise.all([page.context().waitForEvent("page"), press(link)]);
  await opened.close();
  await page.bringToFront();
  await expect(dialog.getByText("Waiting for your browser…").first()).toBeVisible();
  await tabTo(page, dialog.getByRole("link", { name: "Open again" }));
  const question = page.getByRole("dialog", { name: "Stop setting up Courier?" });
  await page.keyboard.press("Escape");
  await expect(question.getByText("The sign-in page in your browser leads nowhere then.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(wizard.heading("Sign in to Courier")).toBeFocused();

  await press(wizard.button("Use a code on another device instead"));
  const code = dialog.getByRole("status", { name: "Code to type" });
  await expect(code).toHaveText(/^[A-Z0-9-]{6,}$/);
  await expect(wizard.heading("Sign in to Courier")).toBeFocused();
  await expect(fetch(listener)).rejects.toThrow();
  for (const name of ["Copy code", "Use the browser on this computer instead", "Cancel", "Close"])
    await tabTo(page, wizard.button(name));
  await page.keyboard.press("Enter");
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  const [device] = await Promise.all([
    page.context().waitForEvent("page"),
    press(dialog.getByRole("link", { name: "Open the page" })),
  ]);
  await device.getByRole("button", { name: "Continue" }).click();
  await allow(device);
  // A page that is closed on its way to the next one stays open now and then, and then lies before the screens.
  await expect(device.getByText("Sign-in Success")).toBeVisible();
  await device.close();
  await page.bringToFront();
  await expect(dialog.getByText("Connected as ada@example.test")).toBeVisible({ timeout: 20_000 });
  await expect(wizard.heading("Courier is connected")).toBeFocused();
  await press(wizard.button("Done"));
  await expect(dialog).toBeHidden();
});

test("a provider that answers HTML, 500, nothing or late is named, and the setup can be closed", async ({
  app,
  wizard,
  traces,
}) => {
  const answers: [RequestListener, said: string][] = [
    [
      (_request, response) => void response.setHeader("content-type", "text/html").end("<h1>Hi</h1>"),
      "answered something that is no sign-in answer",
    ],
    [
      (_request, response) => void response.writeHead(500).end(),
      "answered something that is no sign-in answer",
    ],
    [(request) => void request.socket.destroy(), "did not answer"],
  ];
  for (const [listener, said] of answers) {
    await app.card("Courier").getByRole("switch").click();
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await toSignIn(wizard, `http://${host}`);
    await wizard.expectStep("error");
    await expect(wizard.dialog.getByRole("alert")).toContainText(`${host} ${said}`);
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
  const { port } = taken.address() as AddressInfo;
  await toSignIn(wizard, provider.issuer, String(port));
  await wizard.expectStep("error");
  await expect(wizard.dialog.getByRole("alert")).toContainText(
    `The sign-in needs port ${port}, which another program uses.`,
  );
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
  await answer({ kind: "choice", choice: "account" });
  await answer({ kind: "values", values: { service: provider.issuer } });
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
