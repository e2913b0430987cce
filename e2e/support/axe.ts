import AxeBuilder from "@axe-core/playwright";
import { type App, expect } from "./app.ts";

/** Axe finds nothing on what is shown now; `what` names it in the report. */
export async function expectNoViolations(app: App, what: string): Promise<void> {
  // Colours are judged when nothing fades in or out any more.
  await app.page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  );
  // Legacy mode asks for no second page, which the stand-in does not open.
  const { violations } = await new AxeBuilder({ page: app.page }).setLegacyMode().analyze();
  const found = violations.map(({ id, nodes }) => ({
    what,
    id,
    nodes: nodes.map((node) => node.html.slice(0, 160)),
  }));
  expect.soft(found).toEqual([]);
}
