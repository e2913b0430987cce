import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pluginFolder } from "../support/app.ts";
import { expect, test } from "../support/served.ts";

test("decided approvals are still there after the core was killed", async ({
  page,
  app,
  serve,
  serveOpen,
}) => {
  const core = await serveOpen();
  await app.ask("PUT", "/secrets/TOKEN", { value: "hush-hush" });
  await app.script([{ call: { tool: "shell", input: { command: "echo hush-hush" } } }, { say: "Done." }]);
  await app.openConversation();
  await app.send("Go");
  await page.getByRole("link", { name: /^Approvals/ }).click();
  await page.getByRole("main").getByRole("button", { name: "Allow once" }).click();
  await expect(page.getByText("Done.")).toBeVisible();
  await core.kill();
  await serve();
  await page.reload();
  await page.getByRole("link", { name: /^Approvals/ }).click();
  await expect(page.getByText("Allowed · once")).toBeVisible();
  const decision = page.getByRole("region", { name: /^History/ });
  await decision.locator("summary").click();
  await expect(decision.getByText(/^echo /)).toBeVisible();
  expect(await page.content()).not.toContain("hush-hush");
});

test("a search that is cut off by a kill leaves every switch as it was, and says so", async ({
  page,
  app,
  serve,
  serveOpen,
}) => {
  const core = await serveOpen();
  for (const key of ["careful", "mailbox"] as const) {
    await app.install(pluginFolder[key]);
    await app.set(key, { enabled: true });
  }
  await app.ask("POST", "/agents/helper/search");
  await expect(app.card("Careful").getByText("Off", { exact: true })).toBeVisible();
  await core.kill();
  await serve();
  await expect(page.getByText(/The search for the plugin .* was interrupted/)).toBeVisible();
  for (const name of ["Careful", "Mailbox"]) {
    await expect(app.card(name).getByRole("switch")).toBeChecked();
    await expect(app.card(name).getByText("Running", { exact: true })).toBeVisible();
  }
});

test("a start with --safe leaves every plugin off until safe mode is left", async ({
  page,
  app,
  serve,
  serveOpen,
}) => {
  const core = await serveOpen();
  await app.install(pluginFolder.careful);
  await app.set("careful", { enabled: true });
  await core.stop();
  await serve("--safe");
  await expect(page.getByText("Safe mode: every plugin is off.")).toBeVisible();
  await expect(app.card("Careful").getByText("Off", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Leave safe mode" }).click();
  await expect(app.card("Careful").getByText("Running", { exact: true })).toBeVisible();
});

test("after three starts that failed in a row the next one is in safe mode and says why", async ({
  page,
  app,
  serve,
  serveOpen,
}) => {
  let core = await serveOpen();
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true, config: { channel: { trouble: "slow" } } });
  await core.kill();
  for (let starts = 0; starts < 3; starts += 1) {
    core = await serve();
    await core.kill();
  }
  await serve();
  await expect(page.getByText(/^Patchbay did not start properly three times in a row/)).toBeVisible();
});

test("after a start, tools wait unlit until one is called, and their cable lights up then", async ({
  page,
  app,
  serve,
}) => {
  let core = await serve();
  await app.install(pluginFolder.echo);
  await app.set("echo", { enabled: true });
  await core.stop();
  core = await serve();
  await page.goto(core.link);
  const card = app.card("Echo");
  await expect(card.getByText("Ready · starts when a tool is called")).toBeVisible();
  await expect(card.getByText("Running", { exact: true })).toBeVisible();
  await expect(page.locator('[data-cable="asleep"]')).toHaveCount(1);

  await app.ask("POST", "/agents/helper/tools/echo__say/call", { input: { text: "hello" }, yes: true });
  await expect(page.locator('[data-cable="running"]')).toHaveCount(1);
  await expect(card.getByText("Tools 2")).toBeVisible();
});

test("a damaged state file is told once, with what was done, until it is put away", async ({
  page,
  app,
  home,
  serve,
}) => {
  let core = await serve();
  await app.install(pluginFolder.mailbox);
  await app.install(pluginFolder.echo);
  await core.stop();
  await writeFile(join(home, "plugins.json"), '{"schemaVersion":1,"da');
  core = await serve();
  await page.goto(core.link);
  const notice = page.getByRole("status").filter({ hasText: "plugins.json" });
  await expect(notice).toBeVisible();
  await expect(app.card("Mailbox")).toBeVisible();
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toBeHidden();
  await page.reload();
  await expect(app.card("Mailbox")).toBeVisible();
  await expect(notice).toBeHidden();
});

test.describe("with a German system", () => {
  test.use({ locale: "de-CH" });
  test("the screens are German from the first moment", async ({ page, serve }) => {
    const core = await serve();
    await page.goto(core.link);
    await expect(page.getByRole("link", { name: "Entdecken" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
  });
});
