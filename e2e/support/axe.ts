import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { orangeButtons } from "./orange.ts";

/** What passes is counted and not described, which is half of the work on a full page. */
const violationsAlone = { resultTypes: ["violations" as const] };

/**
 * Fails when axe finds anything on what is shown now, or when one screen has two orange buttons; `what` names it in the
 * report. Where only a part of the page has changed since the last check, `part`, a selector, spares the rest.
 */
export async function expectNoViolations(page: Page, what: string, part = "html"): Promise<void> {
  await settled(page);
  // In its usual mode axe opens a second page for its work, which the stand-in for Electron cannot do.
  const axe = new AxeBuilder({ page }).setLegacyMode().options(violationsAlone).include(part);
  const { violations } = await axe.analyze();
  expectNone(what, violations);
  for (const { screen, buttons } of await orangeButtons(page))
    expect.soft(buttons.length, `${what}: orange in ${screen}: ${buttons.join(", ")}`).toBeLessThan(2);
}

/** The same check in light and then in dark, where only the colours differ. */
export async function expectNoViolationsInBoth(page: Page, what: string, part = "html"): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectNoViolations(page, `${what}, light`, part);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await settled(page);
  const options = { ...violationsAlone, runOnly: ["color-contrast", "link-in-text-block"] };
  const violations = await page.evaluate(
    async ([part, options]) => {
      // The first check has left the axe library on the page.
      const { axe } = window as unknown as Axe;
      return (await axe.run(part, options)).violations;
    },
    [part, options] as const,
  );
  expectNone(`${what}, dark`, violations);
}

/**
 * Waits until nothing fades in or out any more: axe measures contrast with the colours of that moment. When a colour has
 * changed, what inherits it may begin to change in the next frame.
 */
export function settled(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    // What turns for ever, such as a sign of work, changes no text.
    const ends = (animation: Animation) => animation.effect?.getComputedTiming().endTime !== Infinity;
    const running = () =>
      document.getAnimations().filter((each) => each.playState === "running" && ends(each));
    for (let still = 0; still < 2; ) {
      const now = running();
      await Promise.all(now.map((animation) => animation.finished.catch(() => {})));
      await frame();
      still = now.length === 0 ? still + 1 : 0;
    }
  });
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

interface Axe {
  axe: {
    run(
      part: string,
      options: { runOnly: string[]; resultTypes: string[] },
    ): Promise<{ violations: Violation[] }>;
  };
}

function expectNone(what: string, violations: Violation[]): void {
  const found = violations.map(({ id, nodes }) => ({
    what,
    id,
    nodes: nodes.map(({ html, failureSummary = "" }) => `${html.slice(0, 160)} ${failureSummary}`),
  }));
  expect.soft(found).toEqual([]);
}

/** Presses Tab until `target` has the focus, and says how often. */
export async function tabTo(page: Page, target: ReturnType<Page["locator"]>): Promise<number> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return presses;
    await page.keyboard.press("Tab");
  }
  throw new Error("It cannot be reached with Tab.");
}
