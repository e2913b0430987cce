import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";

/**
 * Takes a picture for whoever wants to see what a spec goes through, into the folder that `PATCHBAY_LOOK` names. Without that
 * variable none is taken: each costs as much as several clicks.
 */
export async function look(at: Page | Locator, name: string): Promise<void> {
  const folder = process.env.PATCHBAY_LOOK;
  if (folder) await at.screenshot({ path: join(folder, `${name}.png`) });
}
