import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { launchStandIn, type StandIn } from "./launch.ts";

interface Fixtures {
  home: string;
  desktop: StandIn;
}

/** Tests with a home folder of their own and the desktop app running in it, under the stand-in. */
export const test = base.extend<Fixtures>({
  home: async ({ browserName: _ }, use) => {
    const home = mkdtempSync(join(tmpdir(), "patchbay-"));
    await use(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  },
  desktop: async ({ home }, use, info) => {
    const desktop = await launchStandIn({ home });
    await expectScreen(desktop.page);
    await use(desktop);
    if (info.status !== info.expectedStatus) await info.attach("output of the app", { body: desktop.output });
    await desktop.close();
  },
});

/** The screen has its port and shows what it got over it. */
export async function expectScreen(page: Page): Promise<void> {
  await expect(page.getByRole("navigation").getByText("Plugins")).toBeVisible();
}
