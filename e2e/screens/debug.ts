import type { Page } from "@playwright/test";
import { goTo, type Shoot } from "./studio.ts";

/** Debug, after a conversation in which a plugin rewrote a call: the timeline of its turn, and each other tab. */
export async function takeDebug(page: Page, shoot: Shoot): Promise<void> {
  await goTo(page, "/agents/helper/debug/timeline");
  const turns = page.getByRole("combobox", { name: "Turn" });
  await turns.waitFor();
  const first = await turns.locator("option").last().getAttribute("value");
  await turns.selectOption(first);
  await page
    .getByRole("treeitem", { name: /^tool\.before · Careful/ })
    .first()
    .click();
  await page.getByText("JSON of its events").waitFor();
  await shoot("debug");
  for (const tab of ["tools", "hooks", "commands", "context", "replay", "tree"] as const) {
    await goTo(page, `/agents/helper/debug/${tab}`);
    await page.getByRole("tab", { selected: true }).waitFor();
    await page.locator('[role="tabpanel"] .animate-turn').first().waitFor({ state: "detached" });
    await shoot(`debug-${tab}`);
  }
}
