import type { TestInfo } from "@playwright/test";
import { type App, expect } from "./app.ts";
import { WizardScreen } from "./wizard.ts";

/** Installs a channel from the catalogue and opens its setup, with the clicks that a person makes. */
export async function installChannel(app: App, name: string): Promise<WizardScreen> {
  const { page } = app;
  await page.getByRole("link", { name: "Discover", exact: true }).click();
  await page.getByRole("button", { name: `Install ${name}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  return new WizardScreen(app);
}

/** Expects the last page of the setup, with the channel's name and account. */
export async function expectConnected(wizard: WizardScreen, name: string, account: string): Promise<void> {
  await expect(wizard.heading(`${name} is connected`)).toBeVisible();
  await expect(wizard.dialog.getByText(`Connected as ${account}`)).toBeVisible();
  await expect(wizard.dialog.getByText("Running", { exact: true })).toBeVisible();
}

/**
 * A picture of the screen as it is, attached to the report; only with `PATCHBAY_PICTURES=1`, since it takes about a third
 * of a second and nothing looks at it otherwise.
 */
export async function picture({ page }: App, testInfo: TestInfo, name: string): Promise<void> {
  if (process.env.PATCHBAY_PICTURES !== "1") return;
  const path = testInfo.outputPath(`${name}.png`);
  await page.screenshot({ path, animations: "disabled" });
  await testInfo.attach(name, { path, contentType: "image/png" });
}
