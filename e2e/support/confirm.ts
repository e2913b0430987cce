import type { Locator, Page } from "@playwright/test";
import type { TerminalCodes } from "../../test/support/terminal-codes.ts";

/**
 * Whenever the page asks whether it is the person who wants something, types the newest code that the terminal of the core
 * shows, as the person would.
 */
export async function confirmAsPerson(page: Page, codes: TerminalCodes): Promise<void> {
  const dialog = personDialog(page);
  // The page may have had another core before.
  await page.removeLocatorHandler(dialog);
  await page.addLocatorHandler(dialog, async () => {
    await dialog.locator("input").fill(await codes.after(0));
    await dialog.getByRole("button", { name: /^(It is me|Ich bin es)$/ }).click();
  });
}

/** From now on the page is left alone when it asks that: nobody types anything. */
export function leaveConfirming(page: Page): Promise<void> {
  return page.removeLocatorHandler(personDialog(page));
}

function personDialog(page: Page): Locator {
  return page.getByRole("dialog", { name: /^(Is it you\?|Sind Sie es\?)$/ });
}
