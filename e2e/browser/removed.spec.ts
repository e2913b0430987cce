import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import type { RemovedThing } from "../../src/contract/index.ts";
import { type App, expect, pluginFolder, test } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";

async function openRemoved({ page }: App): Promise<Locator> {
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Removed", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Removed", exact: true })).toBeVisible();
  return page.getByRole("list", { name: "Removed" });
}

const thing = (page: Page, name: string) => page.getByRole("article", { name });

test("an uninstalled plugin is listed with what is kept, comes back with its settings, and runs", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true, config: { channel: { address: "kept@example.com" } } });
  await app.openPlugin("Mailbox", "Versions");
  await page.getByRole("button", { name: "Uninstall" }).click();
  const confirm = page.getByRole("dialog", { name: "Uninstall Mailbox?" });
  await expect(confirm).toContainText("Settings › Removed");
  await confirm.getByRole("button", { name: "Uninstall" }).click();
  await expect(page.getByRole("article", { name: "Mailbox", exact: true })).toContainText("Not installed");

  await openRemoved(app);
  const row = thing(page, "Mailbox");
  await expect(row).toContainText("Plugin");
  await expect(row).toContainText("1.0.0");
  await expect(row).toContainText("settings for Helper");
  await expect(row).toContainText(/\d+(\.\d+)? [kK]?B/);
  await expect(row).toContainText(/Deleted for good on/);
  await expectNoViolationsInBoth(page, "removed");
  await page.screenshot({ path: "pictures/removed-dark.png" });

  await row.getByRole("button", { name: "Restore Mailbox" }).click();
  const said = page.getByRole("status").filter({ hasText: "Mailbox is back." });
  await expect(said).toBeFocused();
  await expect(row).toHaveCount(0);
  await page.getByRole("link", { name: "Plugins", exact: true }).click();
  const card = app.card("Mailbox");
  await expect(card.getByText("Running", { exact: true })).toBeVisible();
  await expect(card.getByText(/kept@example.com/)).toBeVisible();
});

test("deleting for good is asked, from the keyboard too, and takes the files, the settings and the secret", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true, config: { channel: { address: "gone@example.com" } } });
  await app.ask("DELETE", "/plugins/mailbox");
  const folder = join(app.home, "plugins", "mailbox");
  expect(existsSync(folder)).toBe(true);
  await openRemoved(app);
  const row = thing(page, "Mailbox");
  await row.getByRole("button", { name: "Delete for good: Mailbox" }).focus();
  await page.keyboard.press("Enter");
  const asked = page.getByRole("dialog", { name: "Delete Mailbox for good?" });
  await expect(asked).toContainText("The plugin's files");
  await expect(asked).toContainText("settings for Helper");
  await expect(asked).toContainText("This cannot be taken back.");
  await page.screenshot({ path: "pictures/removed-asked.png" });
  await expectNoViolationsInBoth(page, "removed-asked");
  await page.keyboard.press("Escape");
  await expect(asked).toBeHidden();
  await expect(row).toBeVisible();

  await row.getByRole("button", { name: "Delete for good: Mailbox" }).press("Enter");
  await asked.getByRole("button", { name: "Delete for good" }).press("Enter");
  await expect(page.getByText("Nothing is kept here.")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Mailbox is deleted for good." })).toBeVisible();
  expect(existsSync(folder)).toBe(false);
  expect(await app.ask("GET", "/agents/helper/plugins")).toEqual([]);
});

test("a removed agent comes back with its conversation, its settings and its secret", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.ask("POST", "/agents", { name: "Writer" });
  await app.script([{ say: "I remember." }], "writer");
  await app.set("mailbox", { enabled: true, config: { channel: { address: "writer@example.com" } } }, "writer");
  await app.ask("PUT", "/secrets/WRITER_KEY", { value: "words of the writer", agentId: "writer" });
  await page.getByRole("button", { name: /^Agent: Helper/ }).click();
  await page.getByRole("menuitem", { name: /^Writer/ }).click();
  await app.openConversation();
  await app.send("Remember this.");
  await expect(page.getByText("I remember.")).toBeVisible();
  await page.getByRole("button", { name: /^Agent: Writer/ }).click();
  await page.getByRole("menuitem", { name: "Edit Writer…" }).click();
  await page.getByRole("button", { name: "Remove agent" }).click();
  const confirm = page.getByRole("dialog", { name: "Remove Writer?" });
  await expect(confirm).toContainText("Settings › Removed");
  await confirm.getByRole("button", { name: "Remove agent" }).click();
  await expect(page.getByRole("button", { name: /^Agent: Helper/ })).toBeVisible();

  await openRemoved(app);
  const row = thing(page, "Writer");
  await expect(row).toContainText("Agent");
  await expect(row).toContainText("settings for one plugin, one conversation, one stored secret");
  await expectNoViolationsInBoth(page, "removed-agent");
  await page.screenshot({ path: "pictures/removed-agent.png" });
  await row.getByRole("button", { name: "Restore Writer" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Writer is back." })).toBeFocused();

  await page.getByRole("button", { name: /^Agent: Helper/ }).click();
  await page.getByRole("menuitem", { name: /^Writer/ }).click();
  await page.getByRole("link", { name: "Plugins", exact: true }).click();
  await expect(app.card("Mailbox").getByText("Running", { exact: true })).toBeVisible();
  await expect(app.card("Mailbox").getByText(/writer@example.com/)).toBeVisible();
  const sessions = await app.ask<{ title: string }[]>("GET", "/agents/writer/sessions");
  expect(sessions).toEqual([expect.objectContaining({ title: "Remember this." })]);
  const secrets = await app.ask<{ name: string; agentId: string | null }[]>("GET", "/secrets");
  expect(secrets).toContainEqual(expect.objectContaining({ name: "WRITER_KEY", agentId: "writer" }));

  await test.step("deleted for good it is gone from the disk and the vault", async () => {
    await app.ask("DELETE", "/agents/writer");
    const [kept] = await app.ask<RemovedThing[]>("GET", "/removed");
    await app.ask("DELETE", `/removed/${kept?.id}`);
    expect(await readdir(join(app.home, "removed"))).toEqual([]);
    expect(await app.ask("GET", "/secrets")).toEqual([]);
  });
});
