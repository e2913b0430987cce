import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
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
  const confirm = await app.askToUninstall("Mailbox");
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
  await expectNoViolationsInBoth(page, "removed-asked");
  await page.keyboard.press("Escape");
  await expect(asked).toBeHidden();
  await expect(row).toBeVisible();

  await row.getByRole("button", { name: "Delete for good: Mailbox" }).press("Enter");
  await asked.getByRole("button", { name: "Delete for good" }).press("Enter");
  await expect(page.getByText("Nothing is kept here", { exact: true })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Mailbox is deleted for good." })).toBeVisible();
  expect(existsSync(folder)).toBe(false);
  expect(await app.ask("GET", "/agents/helper/plugins")).toEqual([]);
});

test("a removed agent comes back with its conversation, its settings and its secret", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.ask("POST", "/agents", { name: "Writer" });
  await app.script([{ say: "I remember." }], "writer");
  await app.set(
    "mailbox",
    { enabled: true, config: { channel: { address: "writer@example.com" } } },
    "writer",
  );
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

test("a conversation is removed from the list of conversations, and comes back with what was said", async ({
  app,
}) => {
  const { page } = app;
  await app.script([{ say: "It is blue." }]);
  await app.openConversation();
  await app.send("Which colour has the sky?");
  await expect(page.getByText("It is blue.")).toBeVisible();
  await page.getByRole("button", { name: "All conversations" }).click();
  await page.getByRole("button", { name: "More for “Which colour has the sky?”" }).press("Enter");
  await page.getByRole("menuitem", { name: "Remove" }).press("Enter");
  const asked = page.getByRole("dialog", { name: "Remove “Which colour has the sky?”?" });
  await expect(asked).toContainText("Settings › Removed");
  await expectNoViolationsInBoth(page, "removed-conversation-asked");
  await asked.getByRole("button", { name: "Remove conversation" }).press("Enter");
  await expect(page.getByText("No conversations yet")).toBeVisible();
  await page.getByRole("button", { name: "Back to the conversation" }).click();
  await expect(page.getByText("It is blue.")).toHaveCount(0);

  await openRemoved(app);
  const row = thing(page, "Which colour has the sky?");
  await expect(row).toContainText("With Helper.");
  await row.getByRole("button", { name: /^Restore/ }).click();
  await expect(page.getByText("Which colour has the sky? is back.")).toBeVisible();
  await page.getByRole("button", { name: "All conversations" }).click();
  await page.getByRole("button", { name: /^Which colour has the sky\?/ }).click();
  await expect(page.getByText("It is blue.")).toBeVisible();
});

test("a file that was set aside is shown, saved and deleted, and never restored", async ({ app }) => {
  const { page } = app;
  const name = "settings.damaged-2026-01-02T03-04-05-678Z.json";
  await writeFile(join(app.home, name), '{"half": tr');
  await app.ask("GET", "/removed");
  await openRemoved(app);
  const row = thing(page, name);
  await expect(row).toContainText("Set aside");
  await expect(row).toContainText("Nothing of it is in use.");
  await expect(row.getByRole("button", { name: /^Restore/ })).toHaveCount(0);
  await row.getByRole("button", { name: `Show ${name}` }).click();
  const shown = page.getByRole("dialog", { name });
  await expect(shown).toContainText('{"half": tr');
  await expectNoViolationsInBoth(page, "removed-file");
  const saved = page.waitForEvent("download");
  await shown.getByRole("button", { name: "Save a copy" }).click();
  expect((await saved).suggestedFilename()).toBe(name);
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: `Delete for good: ${name}` }).click();
  const question = page.getByRole("dialog", { name: `Delete ${name} for good?` });
  await question.getByRole("button", { name: "Delete for good" }).click();
  // While it is there, nothing behind it has a role.
  await expect(question).toHaveCount(0);
  await expect(row).toHaveCount(0);
  expect(existsSync(join(app.home, name))).toBe(false);
});
