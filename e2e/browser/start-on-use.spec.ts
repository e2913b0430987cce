import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { App, pluginFolder } from "../support/app.ts";
import { ServedCore } from "../support/core.ts";

test("after a start, tools wait unlit until one is called, and their cable lights up then", async ({
  page,
}) => {
  const home = await mkdtemp(join(tmpdir(), "patchbay-on-use-"));
  let core = await ServedCore.start(home);
  try {
    const app = new App(page, home);
    await app.install(pluginFolder.echo);
    await app.set("echo", { enabled: true });
    await core.stop();
    core = await ServedCore.start(home);
    await page.goto(core.link);
    const card = app.card("Echo");
    await expect(card.getByText("Ready · starts when a tool is called")).toBeVisible();
    await expect(card.getByText("Running", { exact: true })).toBeVisible();
    await expect(page.locator('[data-cable="asleep"]')).toHaveCount(1);

    await app.ask("POST", "/agents/helper/tools/echo__say/call", { input: { text: "hello" }, yes: true });
    await expect(page.locator('[data-cable="running"]')).toHaveCount(1);
    await expect(card.getByText("Tools 2")).toBeVisible();
  } finally {
    await core.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
