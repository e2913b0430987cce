import type { Page } from "@playwright/test";
import { IdentityProvider } from "../../test/support/identity-provider.ts";
import { PhoneSimulator } from "../../test/support/phone.ts";
import { ask } from "../support/core.ts";
import { goTo, type Shoot } from "./studio.ts";

/** Every kind of step of a setup, with a phone and a provider to connect to; the plugin is off again afterwards. */
export async function takeSetup(home: string, page: Page, shoot: Shoot): Promise<void> {
  const phone = await PhoneSimulator.open();
  phone.codePrefix = "K7QF-2M";
  const provider = await IdentityProvider.open();
  try {
    await takeSteps(page, phone, provider, shoot);
  } finally {
    await phone.close();
    await provider.close();
    await ask(home, "DELETE", "/agents/helper/plugins/courier");
  }
  await goTo(page, "/agents/helper/plugins");
}

async function takeSteps(
  page: Page,
  phone: PhoneSimulator,
  provider: IdentityProvider,
  shoot: Shoot,
): Promise<void> {
  const dialog = page.locator("[data-setup]");
  const step = (kind: string) => page.locator(`[data-setup=${kind}]`).waitFor();
  const press = (name: string | RegExp) => dialog.getByRole("button", { name }).click();
  const begin = async () => {
    await page.getByRole("article", { name: "Courier" }).getByRole("switch").click();
    await step("menu");
  };
  const toForm = async (way: string) => {
    await press(way);
    await dialog.getByRole("heading", { name: "Find the service" }).waitFor();
  };
  const give = async (address: string) => {
    await dialog.getByLabel("Address").fill(address);
    await dialog.getByLabel(/^PIN/).fill("471100");
    await press("Continue");
  };
  const stop = async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Stop the setup" }).click();
    await dialog.waitFor({ state: "hidden" });
  };

  await begin();
  await shoot("setup-choice");
  await toForm("With my phone");
  await press("Continue");
  await shoot("setup-form");
  phone.goodForMs = 45_000;
  await give(phone.url);
  await step("external");
  await shoot("setup-qr");
  phone.goodForMs = 600;
  phone.rotate();
  await dialog.getByText("This code has expired").waitFor();
  await shoot("setup-qr-expired");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Stop the setup" }).waitFor();
  await shoot("setup-stop");
  await stopAsked(page);

  phone.goodForMs = 300_000;
  await begin();
  await toForm("With a code");
  await give(phone.url);
  await step("external");
  await shoot("setup-code");
  await stop();
  await begin();
  await toForm("On the web");
  await give(phone.url);
  await step("external");
  await shoot("setup-link");
  await stop();

  await begin();
  await toForm("With my account");
  await give("broken:throws");
  await step("error");
  await shoot("setup-error");
  await press("Try again");
  await step("menu");
  await toForm("With my account");
  await give("broken:hangs");
  await dialog.getByText("Courier takes its time…").waitFor();
  await shoot("setup-progress");
  await stop();

  await begin();
  await toForm("With my account");
  await give(provider.issuer);
  await step("oauth");
  const [popup] = await Promise.all([
    page.context().waitForEvent("page"),
    dialog.getByRole("link", { name: "Open the sign-in page" }).click(),
  ]);
  await popup.close();
  await dialog.getByText("Waiting for your browser…").first().waitFor();
  await shoot("setup-sign-in");
  await press("Use a code on another device instead");
  await dialog.getByRole("status", { name: "Code to type" }).waitFor();
  await shoot("setup-device");
  await stop();

  await begin();
  await toForm("With my phone");
  await give(phone.url);
  await step("external");
  phone.scan();
  await dialog.getByText("Connected as").waitFor();
  await shoot("setup-done");
  await press("Send a test message");
  await dialog.getByText(/^Nobody has written/).waitFor();
  await shoot("setup-test-message");
  await press("Show Courier");
  await page.getByRole("tab", { name: "Setup" }).click();
  await shoot("setup-tab");

  // A plugin that only needs a form.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("set up weather");
  await page.keyboard.press("Enter");
  await step("settings");
  await shoot("setup-settings");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
}

async function stopAsked(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop the setup" }).click();
  await page.locator("[data-setup]").waitFor({ state: "hidden" });
}
