import { expect } from "@playwright/test";
import { Browser, IdentityProvider } from "../../test/support/identity-provider.ts";
import { PhoneSimulator } from "../../test/support/phone.ts";
import { App, pluginFolder } from "../support/app.ts";
import { WizardScreen } from "../support/wizard.ts";
import { test } from "./desktop.ts";

test("the desktop app opens the pages of a setup in the person's browser, again when asked", async ({
  desktop,
  home,
}) => {
  const provider = await IdentityProvider.open();
  const phone = await PhoneSimulator.open();
  try {
    const app = new App(desktop.page, home);
    await app.closeWelcome();
    await app.install(pluginFolder.courier);
    const wizard = new WizardScreen(app);
    await wizard.toForm("On the web");
    await wizard.give(phone.url);
    await wizard.dialog.getByRole("link", { name: "Open the page" }).click();
    await expect.poll(async () => (await desktop.recorded()).opened).toEqual([`${phone.url}/pair/p1`]);
    await wizard.stop();

    await wizard.toForm("With my account");
    await wizard.give(provider.issuer);
    await expect(wizard.dialog.getByText("Waiting for your browser…").first()).toBeVisible();
    const pages = async () =>
      (await desktop.recorded()).opened.filter((url) => url.startsWith(provider.issuer));
    await expect.poll(async () => (await pages()).length).toBe(1);
    await wizard.button("Open again").click();
    await expect.poll(async () => (await pages()).length).toBe(2);
    const [url, again] = await pages();
    expect(again).toBe(url);
    await new Browser().allow(url ?? "");
    await expect(wizard.dialog.getByText("Connected as ada@example.test")).toBeVisible();
  } finally {
    await phone.close();
    await provider.close();
  }
});
