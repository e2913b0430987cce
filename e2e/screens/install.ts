import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Shoot } from "./studio.ts";

/** Installing: what to install, while it is fetched, the consent, and a failure with its reason. */
export async function takeInstall(downloads: string, page: Page, shoot: Shoot): Promise<void> {
  const dialog = page.getByRole("dialog");
  const press = (name: string) => dialog.getByRole("button", { name, exact: true }).first().click();
  const begin = async (spec: string) => {
    await page.getByRole("button", { name: "Add plugin" }).click();
    await dialog.getByRole("textbox").first().fill(spec);
  };
  const gone = () => dialog.waitFor({ state: "hidden" });

  await begin("cal");
  await dialog.getByRole("button", { name: /^Calendar sync/ }).waitFor();
  await shoot("install", "small");
  await dialog.getByRole("textbox").first().fill("@team/slow");
  await press("Continue");
  await dialog.locator('[data-phase="resolve"][data-status="running"]').waitFor();
  await shoot("install-running", "small");
  await press("Cancel");
  await dialog.getByRole("button", { name: "Remove from list" }).click();
  await gone();

  await begin(join(downloads, "calendar"));
  await press("Continue");
  await dialog.getByRole("heading", { name: "Install Calendar?" }).waitFor();
  await shoot("consent");
  await press("Do not install");
  await press("Remove from list");
  await gone();

  await begin(join(downloads, "calender"));
  await press("Continue");
  await dialog.getByRole("alert").waitFor();
  await shoot("install-failed", "small");
  await press("Remove from list");
  await gone();
}
