import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect, pluginFolder, test } from "./support/app.ts";

async function open(page: Page, spec: string): Promise<Locator> {
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(spec);
  await dialog.getByRole("button", { name: "Continue" }).click();
  return dialog;
}

async function change(file: string, from: string | RegExp, to: string): Promise<void> {
  await writeFile(file, (await readFile(file, "utf8")).replace(from, to));
}

test("a package that does not say what it is asks to be started first", async ({ app }) => {
  const dialog = await open(app.page, pluginFolder.echo);
  await expect(dialog.getByText("Patchbay has to start it, walled in, to see what it is.")).toBeVisible();
  await expect(dialog.getByText("No files but its own")).toBeVisible();
  await dialog.getByRole("button", { name: "Start it and look" }).click();
  await expect(dialog.getByRole("heading", { name: "Install Echo?" })).toBeVisible();
  await expect(dialog.getByText("from its code, which was started for that")).toBeVisible();
});

test("an update that asks for nothing more is one line and a click", async ({ app }) => {
  const folder = join(app.home, "mailbox-quiet");
  await cp(pluginFolder.mailbox, folder, { recursive: true });
  await app.install(folder);
  await change(join(folder, "package.json"), "1.0.0", "1.1.0");
  const dialog = await open(app.page, folder);
  await expect(dialog.getByRole("heading", { name: "Update Mailbox?" })).toBeVisible();
  await expect(dialog.getByText("It asks for nothing more.")).toBeVisible();
  await expect(dialog.getByText("What it gets")).toBeHidden();
  const version = () => app.ask<{ packageVersion: string }>("GET", "/plugins/mailbox");
  expect((await version()).packageVersion).toBe("1.0.0");
  await dialog.getByRole("button", { name: "Update", exact: true }).click();
  await expect(dialog.getByText("Version 1.1.0")).toBeVisible();
  expect((await version()).packageVersion).toBe("1.1.0");
});

test("code that offers more than the package says is asked about again", async ({ app }) => {
  const folder = join(app.home, "mailbox-liar");
  await cp(pluginFolder.mailbox, folder, { recursive: true });
  await change(join(folder, "index.js"), "subprocess: false", "subprocess: true");
  const dialog = await open(app.page, folder);
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Mailbox offers more than it says" })).toBeVisible();
  await expect(dialog.getByText("It now wants to start other programs.")).toBeVisible();
  await dialog.getByRole("button", { name: "Do not install" }).click();
  await expect(dialog.getByRole("heading", { name: "Mailbox was not installed" })).toBeVisible();
  expect(await app.ask("GET", "/plugins")).toEqual([]);
});

test("what is unticked is not granted", async ({ app }) => {
  const dialog = await open(app.page, pluginFolder.mailbox);
  await dialog.getByRole("checkbox", { name: "Reach any address on the network" }).uncheck();
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Mailbox is installed" })).toBeVisible();
  expect(await app.ask("GET", "/plugins/mailbox")).toMatchObject({
    granted: { network: { reach: "hosts", hosts: [] } },
  });
});

test("what another package left behind is named, and not taken over unless it is ticked", async ({ app }) => {
  const folder = join(app.home, "mailbox-pro");
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true, config: { channel: { address: "first@example.com" } } });
  await app.ask("DELETE", "/plugins/mailbox");
  await cp(pluginFolder.mailbox, folder, { recursive: true });
  await change(join(folder, "package.json"), /"name": "[^"]*"/, '"name": "mailbox-pro"');
  const dialog = await open(app.page, folder);
  await expect(dialog.getByRole("heading", { name: /^Left behind by/ })).toBeVisible();
  await expect(dialog.getByRole("checkbox", { name: "Its settings for 1 agent" })).not.toBeChecked();
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Mailbox is installed" })).toBeVisible();
  expect(await app.ask("GET", "/agents/helper/plugins/mailbox")).toMatchObject({
    enabled: false,
    config: {},
  });
});
