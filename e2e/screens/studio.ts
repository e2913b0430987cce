import type { Browser, Page } from "@playwright/test";
import type { ServedCore } from "../support/core.ts";
import { photograph, type Size, type Theme, themes, usual, wide } from "./photograph.ts";

/** Takes a picture of what is shown now. `small` leaves it out of the wide window, where a dialog only gets more margin. */
export type Shoot = (name: string, extent?: "small") => Promise<void>;
export type Scene = (page: Page, shoot: Shoot) => Promise<void>;
export type InEveryWindow = (core: ServedCore, take: Scene) => Promise<void>;

/** Both themes in both sizes, one window after the other. */
export function studioOf(browser: Browser): InEveryWindow {
  const inWindow = async (theme: Theme, size: Size, core: ServedCore, take: Scene) => {
    const context = await browser.newContext({ viewport: size, colorScheme: theme, reducedMotion: "reduce" });
    const page = await context.newPage();
    await core.openIn(page, await core.freshLink());
    await take(page, async (name, extent) => {
      if (extent === "small" && size === wide) return;
      await photograph(page, name, theme, size);
    });
    await context.close();
  };
  return async (core, take) => {
    for (const theme of themes) for (const size of [usual, wide]) await inWindow(theme, size, core, take);
  };
}

export function goTo(page: Page, path: string): Promise<void> {
  return page.evaluate((to) => {
    location.hash = `#${to}`;
  }, path);
}
