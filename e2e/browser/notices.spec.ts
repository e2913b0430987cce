import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { App, pluginFolder } from "../support/app.ts";
import { ServedCore } from "../support/core.ts";

test("a damaged state file is told once, with what was done, until it is put away", async ({ page }) => {
  const home = await mkdtemp(join(tmpdir(), "patchbay-notices-"));
  let core = await ServedCore.start(home);
  try {
    const app = new App(page, home);
    await app.install(pluginFolder.mailbox);
    await app.install(pluginFolder.echo);
    await core.stop();
    await writeFile(join(home, "plugins.json"), '{"schemaVersion":1,"da');
    core = await ServedCore.start(home);
    await page.goto(core.link);
    const notice = page.getByRole("status").filter({ hasText: "plugins.json" });
    await expect(notice).toBeVisible();
    await expect(app.card("Mailbox")).toBeVisible();
    await notice.getByRole("button", { name: "Dismiss" }).click();
    await expect(notice).toBeHidden();
    await page.reload();
    await expect(app.card("Mailbox")).toBeVisible();
    await expect(notice).toBeHidden();
  } finally {
    await core.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
