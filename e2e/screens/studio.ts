import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";

/** Takes a picture of what is shown now. `small` leaves it out of the wide window, where a dialog only gets more margin. */
export type Shoot = (name: string, extent?: "small") => Promise<void>;
export type Scene = (page: Page, shoot: Shoot) => Promise<void>;
export type InEveryWindow = (link: string, take: Scene) => Promise<void>;

const target = join(import.meta.dirname, "..", "..", "docs", "screens");
const sizes = [
  { name: "", width: 1280, height: 800 },
  { name: "-wide", width: 1920, height: 1080 },
] as const;

/** Both themes in both sizes, one window after the other. */
export function studioOf(browser: Browser, only: string | undefined): InEveryWindow {
  const inWindow = async (
    theme: "light" | "dark",
    size: (typeof sizes)[number],
    link: string,
    take: Scene,
  ) => {
    const context = await browser.newContext({
      viewport: { width: size.width, height: size.height },
      colorScheme: theme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(link);
    await take(page, async (name, extent) => {
      if (extent === "small" && size.name !== "") return;
      if (only !== undefined && !name.startsWith(only)) return;
      await page.evaluate(() => document.fonts.ready);
      await page.mouse.move(0, 0);
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(target, `${name}-${theme}${size.name}.png`) });
    });
    await context.close();
  };
  return async (link, take) => {
    for (const theme of ["light", "dark"] as const)
      for (const size of sizes) await inWindow(theme, size, link, take);
  };
}

export function goTo(page: Page, path: string): Promise<void> {
  return page.evaluate((to) => {
    location.hash = `#${to}`;
  }, path);
}
