import type { Page } from "@playwright/test";
import { goTo, type Shoot } from "./studio.ts";

/** The table of plugins and agents, and the way to more plugins. */
export async function takeDiscover(page: Page, shoot: Shoot): Promise<void> {
  await page.getByRole("link", { name: "Matrix" }).click();
  await page.getByRole("grid").waitFor();
  await page.getByRole("switch", { name: /^Switch Mailbox off for Helper/ }).focus();
  await shoot("matrix");
  await page.getByRole("link", { name: "Discover", exact: true }).click();
  await page.getByRole("article").nth(1).waitFor();
  await shoot("discover");
  await page.getByRole("searchbox").fill("weekend planner");
  await page
    .getByText(/Nothing/)
    .first()
    .waitFor();
  await shoot("discover-nothing");
  await page.getByRole("searchbox").fill("calendar");
  await page.getByRole("status").getByText("1 plugin", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Calendar sync", exact: true }).click();
  await page.getByRole("button", { name: "Install 2.0.0" }).waitFor();
  await shoot("result");
  await goTo(page, "/agents/helper/plugins");
  await page.getByRole("heading", { name: "Plugins", exact: true }).waitFor();
}
