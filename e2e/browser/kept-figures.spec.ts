import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pluginFolder } from "../support/app.ts";
import { expect, test } from "../support/served.ts";

test("what was counted of a plugin is there after a restart and a kill, and its card says the calls of today", async ({
  page,
  app,
  serve,
  serveOpen,
}) => {
  const core = await serveOpen();
  await app.install(pluginFolder.echo);
  await app.set("echo", { enabled: true });
  const call = (input: object) =>
    app.ask("POST", "/agents/helper/tools/echo__say/call", { input, yes: true });
  const card = app.card("Echo");
  await expect(card).toBeVisible();
  await expect(card.getByText(/today$/), "nothing is said of no calls").toHaveCount(0);

  await call({ text: "one" });
  await expect(card.getByText("one call today"), "without a reload").toBeVisible();
  await call({ text: "two" });
  await call({ text: "three" });
  await expect(card.getByText("3 calls today")).toBeVisible();
  await core.stop();

  await test.step("after a clean stop, before the plugin was used again", async () => {
    const again = await serve();
    await page.reload();
    await expect(card.getByText("3 calls today")).toBeVisible();
    await app.openPlugin("Echo", "Activity");
    const value = (label: string) =>
      page.getByText(label, { exact: true }).locator("xpath=following-sibling::dd");
    await expect(value("Calls")).toHaveText(/^3, 0 failed, counted since /);
    await expect(value("Last seven days").getByText("3 today")).toBeVisible();
    await expect(page.getByRole("img", { name: /day: 3 calls, 0 failed$/ })).toBeVisible();
    await expect(value("Typical call (p50)")).toHaveText(/ms$/);
    await expect(value("Start took")).toHaveText(/(ms|s)$/);

    await call({ text: "four" });
    await expect(value("Calls")).toHaveText(/^4, 0 failed/);
    const file = join(app.home, "agents", "helper", "logs", "echo.figures.json");
    await expect.poll(() => readFile(file, "utf8"), { timeout: 10_000 }).toContain('"count": 4');
    await again.kill();
  });

  await test.step("after a kill, in German", async () => {
    await serve();
    await app.ask("PATCH", "/settings", { language: "de" });
    await app.goTo("/agents/helper/plugins");
    await page.reload();
    await expect(card.getByText("4 Aufrufe heute")).toBeVisible();
  });
});
