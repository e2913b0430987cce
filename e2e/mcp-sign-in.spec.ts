import type { Page } from "@playwright/test";
import { SignedInServer } from "../test/mcp/servers/signed-in.ts";
import { type App, test as base, expect } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { WizardScreen } from "./support/wizard.ts";

/** A real MCP server behind a real sign-in, installed by its address, and its wizard. */
const test = base.extend<{ server: SignedInServer; wizard: WizardScreen }>({
  server: async ({ app }, use) => {
    const server = await SignedInServer.open();
    await app.install(`mcp:${server.url}`);
    await use(server);
    await server.close();
  },
  wizard: async ({ app }, use) => use(new WizardScreen(app)),
});

test.describe.configure({ timeout: 120_000 });

/** What the person does at the provider's pages, which remember them after the first time. */
async function signIn(wizard: WizardScreen, isFirst: boolean): Promise<void> {
  const [page] = await Promise.all([
    wizard.app.page.context().waitForEvent("page"),
    wizard.dialog.getByRole("link", { name: "Open the sign-in page" }).click(),
  ]);
  if (isFirst) await logIn(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("You are back")).toBeVisible();
  await page.close();
}

async function logIn(page: Page): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill("ada");
  await page.getByPlaceholder("and password").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

test("the address of a public description is kept, and one without TLS is not", async ({ app }) => {
  const { page } = app;
  await app.goTo("/agents/helper/settings/sources");
  const field = page.getByLabel("Public description of this Patchbay");
  const block = page.locator("form", { has: field });
  await field.fill("http://patchbay.example/client.json");
  await expect(block.getByText("This must be an address with https:// and a path.")).toBeVisible();
  await expect(block.getByRole("button", { name: "Save" })).toBeDisabled();
  await field.fill("https://patchbay.example/client.json");
  await block.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => (await app.ask<{ clientMetadataUrl: string }>("GET", "/settings")).clientMetadataUrl)
    .toBe("https://patchbay.example/client.json");
  await expectNoViolationsInBoth(page, "sources");
});

/** The setup of a server that is switched on, in German. */
async function inGerman(app: App, server: SignedInServer) {
  await app.install(`mcp:${server.url}`);
  await app.ask("PATCH", "/settings", { language: "de" });
  const { host } = new URL(server.origin);
  await app.card(host).getByRole("switch").click();
  return { wizard: new WizardScreen(app), host };
}

test("a client of one's own is entered in German", async ({ app }) => {
  const server = await SignedInServer.open({ registers: false });
  try {
    const { wizard, host } = await inGerman(app, server);
    await expect(wizard.heading(`Anmelden, um ${host} zu nutzen`)).toBeVisible();
    await wizard.button(`Bei ${host} anmelden`).click();
    await expect(wizard.heading("Client-ID eingeben")).toBeVisible();
    await expect(wizard.dialog.getByText("http://127.0.0.1:47813/callback")).toBeVisible();
    await expect(wizard.dialog.getByLabel("Client-Geheimnis")).toBeVisible();
    await expectNoViolationsInBoth(app.page, "a client id");
  } finally {
    await server.close();
  }
});

test("a machine account is entered in German, and signs in without a browser", async ({ app }) => {
  const account = {
    client_id: "machine",
    client_secret: "a-secret-of-the-machine-4711",
    redirect_uris: [],
    response_types: [],
    grant_types: ["client_credentials"],
  };
  const server = await SignedInServer.open({ clients: [account] });
  try {
    const { wizard } = await inGerman(app, server);
    await wizard.button(/^Ein Maschinenkonto verwenden/).click();
    await expect(wizard.heading("Maschinenkonto eingeben")).toBeVisible();
    await wizard.dialog.getByLabel("Client-ID", { exact: true }).fill("machine");
    const secret = wizard.dialog.getByLabel("Client-Geheimnis oder privater Schlüssel");
    await secret.fill("-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----");
    await wizard.button("Weiter").click();
    await expect(wizard.dialog.getByRole("alert")).toContainText("kein privater Schlüssel");
    await expectNoViolationsInBoth(app.page, "a machine account");
    await secret.fill(account.client_secret);
    await wizard.button("Weiter").click();
    await wizard.expectStep("done");
    expect(server.granted).toMatchObject([{ grant: "client_credentials", client: "machine" }]);
  } finally {
    await server.close();
  }
});

test("a server is signed in to on the screen, given one more right, taken back, signed in to again and out", async ({
  app,
  server,
  wizard,
}) => {
  const { page } = app;
  const { host } = new URL(server.origin);
  const key = host.replace(/[.:]/g, "-");
  const call = (tool: string) =>
    app.ask<{ content?: { text: string }[] }>("POST", `/agents/helper/tools/${key}__${tool}/call`, {
      input: {},
      yes: true,
    });

  await app.card(host).getByRole("switch").click();
  await expect(wizard.heading(`Sign in to use ${host}`)).toBeVisible();
  await expect(wizard.dialog.getByText("tickets:read")).toBeVisible();
  await expect(wizard.dialog.getByText("tickets:write")).toBeHidden();
  await expectNoViolationsInBoth(page, "who signs in where");
  await wizard.button(`Sign in at ${host}`).click();
  await wizard.expectStep("oauth");
  await signIn(wizard, true);
  await wizard.expectStep("done");
  await wizard.button("Done").click();
  expect((await call("list_tickets")).content?.[0]?.text).toBe("two tickets");

  await call("close_ticket").catch(() => {});
  await page.getByRole("link", { name: host, exact: true }).first().click();
  await expect(page.getByText(/close_ticket needs the right tickets:write/).first()).toBeVisible();
  await page.getByRole("button", { name: "Sign in again" }).first().click();
  await expect(wizard.dialog.getByText("tickets:write")).toBeVisible();
  await expect(wizard.dialog.getByText("new", { exact: true })).toBeVisible();
  await wizard.button(`Sign in at ${host}`).click();
  await signIn(wizard, false);
  await wizard.expectStep("done");
  await wizard.button("Done").click();
  expect((await call("close_ticket")).content?.[0]?.text).toBe("closed");

  await server.revoke(true);
  await call("list_tickets").catch(() => {});
  await expect(page.getByText(/does not accept the sign-in any more/).first()).toBeVisible();
  await page.getByRole("button", { name: "Sign in again" }).first().click();
  await wizard.button(`Sign in at ${host}`).click();
  await signIn(wizard, false);
  await wizard.expectStep("done");
  await wizard.button("Done").click();
  expect((await call("list_tickets")).content?.[0]?.text).toBe("two tickets");

  await page.getByRole("tab", { name: "Setup" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeHidden();
  expect(server.asked.map(({ at }) => at)).toContain("POST /token/revocation");
});
