import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { App, pluginFolder } from "../support/app.ts";
import { ServedCore } from "../support/core.ts";

const test = base.extend<{ home: string }>({
  home: async ({ baseURL: _ }, use) => {
    const home = await mkdtemp(join(tmpdir(), "patchbay-restart-"));
    await use(home);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
});

test("decided approvals are still there after the core was killed", async ({ page, home }) => {
  let core = await ServedCore.start(home);
  try {
    await page.goto(core.link);
    const app = new App(page, home);
    await app.closeWelcome();
    await app.ask("PUT", "/secrets/TOKEN", { value: "hush-hush" });
    await app.script([{ call: { tool: "shell", input: { command: "echo hush-hush" } } }, { say: "Done." }]);
    await app.openConversation();
    await app.send("Go");
    await page.getByRole("link", { name: /^Approvals/ }).click();
    await page.getByRole("main").getByRole("button", { name: "Allow once" }).click();
    await expect(page.getByText("Done.")).toBeVisible();
    await core.kill();
    core = await ServedCore.start(home);
    await page.goto(core.link);
    await page.getByRole("link", { name: /^Approvals/ }).click();
    await expect(page.getByText("Allowed · once")).toBeVisible();
    await page.locator("summary").click();
    await expect(page.getByText(/^echo /)).toBeVisible();
    expect(await page.content()).not.toContain("hush-hush");
  } finally {
    await core.stop();
  }
});

test("a search that is cut off by a kill leaves every switch as it was, and says so", async ({
  page,
  home,
}) => {
  let core = await ServedCore.start(home);
  try {
    await page.goto(core.link);
    const app = new App(page, home);
    await app.closeWelcome();
    for (const key of ["careful", "mailbox"] as const) {
      await app.install(pluginFolder[key]);
      await app.set(key, { enabled: true });
    }
    await app.ask("POST", "/agents/helper/search");
    await expect(app.card("Careful").getByText("Off", { exact: true })).toBeVisible();
    await core.kill();
    core = await ServedCore.start(home);
    await page.goto(core.link);
    await expect(page.getByText(/The search for the plugin .* was interrupted/)).toBeVisible();
    for (const name of ["Careful", "Mailbox"]) {
      await expect(app.card(name).getByRole("switch")).toBeChecked();
      await expect(app.card(name).getByText("Running", { exact: true })).toBeVisible();
    }
  } finally {
    await core.stop();
  }
});

test("a start with --safe leaves every plugin off until safe mode is left", async ({ page, home }) => {
  let core = await ServedCore.start(home);
  try {
    await page.goto(core.link);
    const app = new App(page, home);
    await app.closeWelcome();
    await app.install(pluginFolder.careful);
    await app.set("careful", { enabled: true });
    await core.stop();
    core = await ServedCore.start(home, 0, ["--safe"]);
    await page.goto(core.link);
    await expect(page.getByText("Safe mode: every plugin is off.")).toBeVisible();
    await expect(app.card("Careful").getByText("Off", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Leave safe mode" }).click();
    await expect(app.card("Careful").getByText("Running", { exact: true })).toBeVisible();
  } finally {
    await core.stop();
  }
});

test("after three starts that failed in a row the next one is in safe mode and says why", async ({
  page,
  home,
}) => {
  let core = await ServedCore.start(home);
  try {
    await page.goto(core.link);
    const app = new App(page, home);
    await app.closeWelcome();
    await app.install(pluginFolder.mailbox);
    await app.set("mailbox", { enabled: true, config: { channel: { trouble: "slow" } } });
  } finally {
    await core.kill();
  }
  for (let starts = 0; starts < 3; starts += 1) {
    core = await ServedCore.start(home);
    await core.kill();
  }
  core = await ServedCore.start(home);
  try {
    await page.goto(core.link);
    await expect(page.getByText(/^Patchbay did not start properly three times in a row/)).toBeVisible();
  } finally {
    await core.stop();
  }
});

test.describe("with a German system", () => {
  test.use({ locale: "de-CH" });
  test("the screens are German from the first moment", async ({ page, home }) => {
    const core = await ServedCore.start(home);
    try {
      await page.goto(core.link);
      await expect(page.getByRole("link", { name: "Entdecken" })).toBeVisible();
      await expect(page.locator("html")).toHaveAttribute("lang", "de");
    } finally {
      await core.stop();
    }
  });
});
