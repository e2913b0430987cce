import { ask, type ServedCore } from "../support/core.ts";
import { goTo, type InEveryWindow } from "./studio.ts";

/** What the app says of itself when something is wrong with it: safe mode, a link that leads nowhere, a core that is gone. */
export async function takeTrouble(
  home: string,
  core: ServedCore,
  inEveryWindow: InEveryWindow,
): Promise<void> {
  await ask(home, "POST", "/holds/safe-mode/enter");
  await inEveryWindow(core, async (page, shoot) => {
    await page.getByText("Safe mode: every plugin is off.").waitFor();
    await shoot("safe-mode");
    await goTo(page, "/agents/nobody/plugins");
    await page.getByRole("heading", { name: "There is no agent “nobody”" }).waitFor();
    await shoot("unknown-agent");
  });
  await ask(home, "POST", "/holds/safe-mode/leave");
  await inEveryWindow(core, async (page, shoot) => {
    await page.getByText("Failed to start").waitFor();
    // A letter that is needed for the first time could not be fetched any more.
    await page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load())));
    core.pause();
    try {
      await page
        .locator("[data-banner=connection]")
        .getByText(/^[2-9] s$/)
        .waitFor();
      await shoot("connection-lost");
    } finally {
      core.resume();
    }
  });
}
