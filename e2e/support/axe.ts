import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Fails when axe finds anything on what is shown now; `what` names it in the report. `rules`: by these alone. */
export async function expectNoViolations(page: Page, what: string, rules?: string[]): Promise<void> {
  // Colours are judged when nothing fades in or out any more.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  );
  // Legacy mode asks for no second page, which the stand-in does not open.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const found = violations.map(({ id, nodes }) => ({
    what,
    id,
    nodes: nodes.map((node) => node.html.slice(0, 160)),
  }));
  expect.soft(found).toEqual([]);
}

/** Presses Tab until `target` has the focus. */
export async function tabTo(page: Page, target: ReturnType<Page["locator"]>): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("It cannot be reached with Tab.");
}
