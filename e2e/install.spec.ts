import { join } from "node:path";
import { writePlugin } from "../test/support/fixture-plugin.ts";
import { expect, pluginFolder, test } from "./support/app.ts";

test("a folder is installed with consent and switched on", async ({ app }) => {
  const { page } = app;
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(pluginFolder.mailbox);
  await expect(dialog.getByText("Folder", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Continue" }).click();

  await expect(dialog.getByRole("heading", { name: "Install Mailbox?" })).toBeVisible();
  await expect(dialog.getByText("From this computer.")).toBeVisible();
  await expect(dialog.getByRole("checkbox", { name: "Reach any address on the network" })).toBeChecked();
  await expect(dialog.getByText("Cannot reach your files")).toBeVisible();
  await expect(dialog.getByText(/behind walls/)).toBeVisible();
  await expect(dialog.locator('[data-phase="inspect"]')).toHaveAttribute("data-status", "done");
  await expect(dialog.locator('[data-phase="consent"]')).toHaveAttribute("aria-current", "step");
  // What took no second has no time at its side: the consent is what there is to read.
  await expect(dialog.getByRole("list", { name: "Steps" })).not.toContainText(/\d\s?ms/);
  await dialog.getByRole("button", { name: "Install", exact: true }).click();

  await expect(dialog.getByRole("heading", { name: "Mailbox is installed" })).toBeVisible();
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  await expect(dialog).toBeHidden();
  await expect(app.card("Mailbox").getByText("Running", { exact: true })).toBeVisible();
  await expect(app.card("Mailbox").getByText(/^Connected as helper@example.com/)).toBeVisible();
  await expect(page.locator('[data-cable="running"]')).toHaveCount(1);
});

test("a plugin that comes with Patchbay is suggested and installed in two presses", async ({ app }) => {
  const { page } = app;
  await page.getByRole("button", { name: "Install HTTP" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("Comes with Patchbay.", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "HTTP is installed" })).toBeVisible();
});

test("declining leaves nothing behind", async ({ app }) => {
  const { page } = app;
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(pluginFolder.echo);
  await dialog.getByRole("button", { name: "Continue" }).click();
  // It does not say what it is, so it is started for a look after a first yes.
  const first = dialog.getByRole("heading", { name: "Start patchbay-fixture-echo to see what it is?" });
  await expect(first).toBeVisible();
  await dialog.getByRole("button", { name: "Start it and look" }).click();
  await expect(dialog.getByRole("heading", { name: "Install Echo?" })).toBeVisible();
  await dialog.getByRole("button", { name: "Do not install" }).click();
  await expect(dialog.getByRole("heading", { name: "Echo was not installed" })).toBeVisible();
  expect(await app.ask("GET", "/plugins")).toEqual([]);
});

test("a failure says why, stays in the list, and can be tried again or removed", async ({ app }) => {
  const { page } = app;
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(join(app.home, "nothing-here"));
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("alert")).toContainText("nothing-here");
  await dialog.getByText("Technical details").click();
  await expect(dialog.getByText(/SOURCE_MISSING/)).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();

  const jobs = page.getByRole("list", { name: "Installations under way" });
  await expect(jobs.getByRole("listitem")).toHaveCount(1);
  await jobs.getByRole("button", { name: "Show" }).click();
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(dialog.getByRole("alert")).toContainText("nothing-here");
  await dialog.getByRole("button", { name: "Remove from list" }).click();
  await expect(dialog).toBeHidden();
  await expect(jobs).toBeHidden();
});

test("a plugin whose key another one has is installed under a key that the person gives it", async ({
  app,
}) => {
  const { page } = app;
  const twin = await writePlugin(join(app.home, "..", "twin"), {
    name: "twin",
    key: "mailbox",
    namespace: "twin",
  });
  const dialog = page.getByRole("dialog");
  const begin = async (folder: string) => {
    await page.getByRole("button", { name: "Add plugin" }).first().click();
    await dialog.getByRole("textbox").fill(folder);
    await dialog.getByRole("button", { name: "Continue" }).click();
  };
  await begin(pluginFolder.mailbox);
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Mailbox is installed" })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();

  await begin(twin);
  await dialog.getByRole("button", { name: "Start it and look" }).click();
  await expect(dialog.getByRole("alert")).toContainText("another key");
  const key = dialog.getByRole("textbox", { name: "Install it under the key" });
  await expect(key).toHaveValue("mailbox-2");
  await key.fill("post office");
  await expect(dialog.getByRole("button", { name: "Install", exact: true })).toBeDisabled();
  await key.fill("post-office");
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await dialog.getByRole("button", { name: "Start it and look" }).click();
  await expect(dialog.getByText("The package calls itself “mailbox”")).toBeVisible();
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Echo (post-office) is installed" })).toBeVisible();
});

test("installing, configuring and switching on go by keyboard alone", async ({ app }) => {
  const { page } = app;
  await page.getByRole("button", { name: "Add plugin" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("textbox")).toBeFocused();
  await page.keyboard.type(pluginFolder.mailbox);
  await page.keyboard.press("Enter");
  const install = page.getByRole("button", { name: "Install", exact: true });
  await expect(install).toBeVisible();
  await tabTo(install);
  await page.keyboard.press("Enter");
  const close = page.getByRole("dialog").getByRole("button", { name: "Close" }).first();
  await expect(page.getByRole("heading", { name: "Mailbox is installed" })).toBeVisible();
  await tabTo(close);
  await page.keyboard.press("Enter");

  const link = app.card("Mailbox").getByRole("link", { name: "Mailbox" });
  await tabTo(link);
  await page.keyboard.press("Enter");
  await tabTo(page.getByRole("tab", { name: "Overview" }));
  await page.keyboard.press("ArrowRight");
  const address = page.getByRole("textbox", { name: "Address" });
  await expect(address).toBeVisible();
  await tabTo(address);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("me@example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved and in use.")).toBeVisible();
  await tabTo(page.getByRole("switch", { name: "Switch Mailbox on" }));
  await page.keyboard.press("Space");
  await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();

  async function tabTo(target: typeof install): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error("It cannot be reached with Tab.");
  }
});
