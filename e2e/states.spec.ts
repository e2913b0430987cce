import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

/** Every state that a plugin can be in, as its word and as its cable, each brought about by a real plugin. */

test("a channel runs, fails with its reason, and is cured by a better setting", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  const card = app.card("Mailbox");
  await expect(card.getByText("Off", { exact: true })).toBeVisible();
  await expect(page.locator('[data-cable="off"]')).toHaveCount(1);

  await app.set("mailbox", { enabled: true, config: { channel: { trouble: "fails" } } });
  await expect(card.getByText("Failed to start")).toBeVisible();
  await expect(card.getByText("The mail server refused the password.")).toBeVisible();
  await expect(page.locator('[data-cable="failed"]')).toHaveCount(1);
  await card.getByRole("button", { name: "Details" }).click();
  await card.getByText("Technical details").click();
  await expect(card.getByText(/START_FAILED/)).toBeVisible();

  await app.openPlugin("Mailbox", "Settings");
  await page.getByRole("combobox", { name: "Pretend trouble" }).selectOption("none");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
  await page.getByRole("link", { name: "Plugins of Helper" }).click();
  await expect(card.getByText(/^Connected as/)).toBeVisible();
  await expect(page.locator('[data-cable="running"]')).toHaveCount(1);
});

test("a plugin in trouble stands before those that run, until it is cured", async ({ app }) => {
  const names = () => app.page.getByRole("article").evaluateAll((all) => all.map((one) => one.ariaLabel));
  await app.install(pluginFolder.echo);
  await app.install(pluginFolder.mailbox);
  await app.set("echo", { enabled: true });
  await app.set("mailbox", { enabled: true });
  await expect(app.card("Mailbox").getByText("Running", { exact: true })).toBeVisible();
  expect(await names()).toEqual(["Echo", "Mailbox"]);
  const problem = { enabled: true, config: { channel: { trouble: "complains" } } };
  await app.set("mailbox", problem);
  await expect(app.card("Mailbox").getByText("Has a problem", { exact: true })).toBeVisible();
  await expect.poll(names).toEqual(["Mailbox", "Echo"]);
  await app.set("mailbox", { config: { channel: { trouble: "none" } } });
  await expect.poll(names).toEqual(["Echo", "Mailbox"]);
});

test("starting and stopping are shown while they last, and switching off ends in Off", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { config: { channel: { trouble: "slow" } } });
  const card = app.card("Mailbox");
  await card.getByRole("switch").click();
  await expect(card.getByText("Starting", { exact: true })).toBeVisible();
  await expect(page.locator('[data-cable="starting"]')).toHaveCount(1);
  await expect(card.getByText("Running", { exact: true })).toBeVisible({ timeout: 10_000 });
  await app.set("mailbox", { config: { channel: { trouble: "lingers" } } });
  await expect(card.getByText("Running", { exact: true })).toBeVisible();
  await card.getByRole("switch").click();
  await expect(card.getByText("Stopping", { exact: true })).toBeVisible();
  await expect(page.locator('[data-cable="stopping"]')).toHaveCount(1);
  await expect(card.getByText("Off", { exact: true })).toBeVisible();
});

test("a plugin that no longer answers has a problem, is ended, and starts again", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.misfit);
  await app.set("misfit", { enabled: true });
  const card = app.card("Misfit");
  await expect(card.getByText("Running", { exact: true })).toBeVisible();
  const call = app.ask("POST", "/agents/helper/tools/misfit__spin/call", { input: {}, yes: true });
  const ended = expect(call).rejects.toThrow("HOST_CRASHED");
  await expect(page.locator('[data-cable="not_responding"]')).toHaveCount(1);
  await expect(card.getByText("Has a problem", { exact: true })).toBeVisible();
  await ended;
  await expect(card.getByText("Running", { exact: true })).toBeVisible({ timeout: 20_000 });
});

test("a plugin that reports trouble has a problem; only its own card says so", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.install(pluginFolder.echo);
  await app.set("mailbox", { enabled: true, config: { channel: { trouble: "complains" } } });
  await app.set("echo", { enabled: true });
  await expect(app.card("Mailbox").getByText("Has a problem")).toBeVisible();
  await expect(app.card("Mailbox").getByText("Two copies of this mailbox are running.")).toBeVisible();
  await expect(app.card("Echo").getByText("Running", { exact: true })).toBeVisible();
  await expect(page.locator('[data-cable="degraded"]')).toHaveCount(1);
});

test("a plugin that crashes again and again is stopped until the person starts it", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true, config: { channel: { trouble: "crashes" } } });
  const card = app.card("Mailbox");
  await expect(card.getByText("Stopped after repeated crashes")).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('[data-cable="quarantined"]')).toHaveCount(1);
  await expect(card.getByRole("button", { name: "Start again" })).toBeVisible();
  await app.set("mailbox", { config: { channel: { trouble: "none" } } });
  await app.openPlugin("Mailbox", "Overview");
  await page.getByRole("button", { name: "Restart" }).click();
  await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
});

test("what lacks a secret needs setup, and what is uninstalled is off and offered from where it came", async ({
  app,
}) => {
  const { page } = app;
  for (const key of ["weather", "echo"] as const) await app.install(pluginFolder[key]);
  const [weather, echo] = [app.card("Weather"), app.card("Echo")];
  const cable = (state: string) => page.locator(`[data-cable="${state}"]`);
  await app.set("weather", { enabled: true });
  await expect(weather.getByText("Needs setup", { exact: true })).toBeVisible();
  await expect(weather.getByText("Weather is not set up yet: API key is missing.")).toBeVisible();
  await expect(cable("needs_setup")).toHaveCount(1);

  await app.set("echo", { enabled: true });
  await expect(echo.getByText("Running", { exact: true })).toBeVisible();
  await expect(cable("running")).toHaveCount(1);
  await app.ask("DELETE", "/plugins/echo");
  await expect(echo.getByText("Off", { exact: true })).toBeVisible();
  await expect(cable("gone")).toHaveCount(1);
  await expectNoViolationsInBoth(page, "a plugin that is not installed any more");
  await echo.getByRole("button", { name: "Install again" }).click();
  await expect(page.getByRole("dialog").getByRole("textbox")).toHaveValue(pluginFolder.echo);
});

test("filters count what they show, and the search finds by name", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.install(pluginFolder.weather);
  await app.install(pluginFolder.careful);
  await app.set("mailbox", { enabled: true });
  await app.set("weather", { enabled: true });
  const filters = page.getByRole("group", { name: "Filter the plugins" });
  await expect(filters.getByRole("button", { name: "All 3" })).toBeVisible();
  await expect(filters.getByRole("button", { name: "Running 1" })).toBeVisible();
  await filters.getByRole("button", { name: "Needs you 1" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(app.card("Weather")).toBeVisible();
  await filters.getByRole("button", { name: "All 3" }).click();
  await filters.getByRole("button", { name: "Hooks" }).click();
  await expect(app.card("Careful")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
  await filters.getByRole("button", { name: "All 3" }).click();
  await page.getByRole("searchbox", { name: "Find a plugin" }).fill("mail");
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(app.card("Mailbox")).toBeVisible();
});

test("live values and the log are shown as they come", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true });
  await app.openPlugin("Mailbox", "Activity");
  await expect(page.locator('[data-value="unread"]')).toContainText("3");
  const log = page.getByRole("log", { name: "Log" });
  await expect(log.getByText("connected as helper@example.com")).toBeVisible();
  await page.getByRole("combobox", { name: "Least level" }).selectOption("info");
  await expect(log.getByText("folders: Inbox, Sent, Archive")).toBeHidden();
  await app.set("mailbox", { config: { channel: { address: "new@example.com" } } });
  await expect(log.getByText("connected as new@example.com")).toBeVisible();
  await expect(
    page.getByRole("tabpanel").getByText("Connected as new@example.com", { exact: true }),
  ).toBeVisible();
});
