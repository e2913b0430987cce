import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";

export type Theme = "light" | "dark";
export const themes: readonly Theme[] = ["light", "dark"];

/** The suffix of the picture's name, and pixels. */
export interface Size {
  name: string;
  width: number;
  height: number;
}
export const usual: Size = { name: "", width: 1280, height: 800 };
export const wide: Size = { name: "-wide", width: 1920, height: 1080 };

const root = join(import.meta.dirname, "..", "..");
/** The whole set, which git ignores; CI keeps it as an artifact. */
const wholeSet = join(root, "pictures");
/** The few that README and docs show. A picture is renewed here only where one of its name is shown already. */
const shown = join(root, "docs", "screens");

/** Takes one picture once nothing moves any more; the pointer is out of the way. */
export async function photograph(page: Page, name: string, theme: Theme, size: Size): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(250);
  const file = `${name}-${theme}${size.name}.png`;
  await page.screenshot({ path: join(wholeSet, file) });
  if (process.env.PATCHBAY_RENEW_DOCS && existsSync(join(shown, file))) {
    await copyFile(join(wholeSet, file), join(shown, file));
  }
}
