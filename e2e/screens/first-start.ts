import type { Page } from "@playwright/test";
import { ask } from "../support/core.ts";
import { install } from "./furnish.ts";
import type { Shoot } from "./studio.ts";

/** The three steps of the welcome, in a home without plugins, which it is again afterwards. */
export async function takeWelcome(home: string, page: Page, shoot: Shoot): Promise<void> {
  await page.getByRole("heading", { name: "Welcome to Patchbay" }).waitFor();
  await page.getByLabel("Model", { exact: true }).waitFor();
  await shoot("welcome-model");
  await page.getByRole("button", { name: "Skip for now" }).click();
  await page.getByRole("button", { name: "Install Guard" }).waitFor();
  await shoot("welcome");
  await install(home, "builtin:guard");
  await ask(home, "PUT", "/agents/helper/plugins/guard", { enabled: true });
  await page.getByRole("button", { name: "Skip for now" }).click();
  await page.getByText("Running", { exact: true }).waitFor();
  await shoot("welcome-run");
  await ask(home, "DELETE", "/plugins/guard");
  await ask(home, "DELETE", "/agents/helper/plugins/guard");
}

/** Home with nothing in it. */
export async function takeEmptyHome(page: Page, shoot: Shoot): Promise<void> {
  await page.getByRole("heading", { name: "Helper has no plugins yet" }).waitFor();
  await page.getByText("Guard").first().waitFor();
  await shoot("home-empty");
}
