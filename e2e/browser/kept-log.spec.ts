import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { pluginFolder } from "../support/app.ts";
import { expect, test } from "../support/served.ts";

const run = promisify(execFile);
const cli = join(import.meta.dirname, "..", "..", "out", "main", "cli.js");

test("what a plugin logged is still there after the app was killed, with the restart marked", async ({
  page,
  app,
  serve,
  serveOpen,
}) => {
  const core = await serveOpen();
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true });
  await expect(app.card("Mailbox").getByText("Running", { exact: true })).toBeVisible();
  const log = () => app.ask<{ text: string }[]>("GET", "/agents/helper/plugins/mailbox/logs");
  const started = (await log()).filter(({ text }) => text.startsWith("Started in ")).length;
  expect(started).toBeGreaterThan(0);
  const file = join(app.home, "agents", "helper", "logs", "mailbox.jsonl");
  await expect.poll(() => readFile(file, "utf8").catch(() => "")).toContain("Started in ");
  await core.kill();

  await test.step("at the terminal while nothing runs", async () => {
    const { stdout } = await run(process.execPath, [
      cli,
      "plugin",
      "logs",
      "mailbox",
      "--agent",
      "helper",
      "--home",
      app.home,
    ]);
    expect(stdout).toContain("Started in ");
    expect(stdout).not.toContain("Patchbay was started again.");
  });

  await serve();
  await page.reload();
  await app.openPlugin("Mailbox", "Activity");
  const shown = page.getByRole("region", { name: "Log", exact: true });
  const mark = shown.locator('[data-mark="restarted"]');
  await expect(mark).toHaveText(/^Patchbay was started again on /);
  await expect(shown.getByText(/^Started in /)).toHaveCount(started + 1);

  await test.step("in the language of the screens", async () => {
    await app.ask("PATCH", "/settings", { language: "de" });
    const german = page.getByRole("region", { name: "Protokoll", exact: true });
    await expect(german.locator('[data-mark="restarted"]')).toHaveText(
      /^Patchbay wurde am .+ neu gestartet$/,
    );
    await german.getByRole("searchbox").fill("neu gestartet");
    await expect(german.locator('[data-mark="restarted"]'), "it is no line of the log").toHaveCount(0);
  });
});
