import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, pluginFolder, test } from "./support/app.ts";

test("uninstalling names what happens, keeps the settings, and installing again brings them back", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true, config: { channel: { address: "kept@example.com" } } });
  const confirm = await app.askToUninstall("Mailbox");
  await expect(confirm).toContainText("It stops for Helper.");
  await expect(confirm).toContainText("Settings, stored secrets");
  await confirm.getByRole("button", { name: "Uninstall" }).click();

  const inert = page.getByRole("article", { name: "Mailbox", exact: true });
  await expect(inert).toContainText("Not installed. Its settings are kept");
  await app.install(pluginFolder.mailbox);
  await expect(app.card("Mailbox").getByText(/kept@example.com/)).toBeVisible();
});

test("what is kept of an uninstalled plugin can be forgotten", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true, config: { channel: { address: "kept@example.com" } } });
  await app.ask("DELETE", "/plugins/mailbox");
  const inert = page.getByRole("article", { name: "Mailbox", exact: true });
  await inert.getByRole("link", { name: "Mailbox" }).click();
  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByRole("button", { name: "Forget settings" }).click();
  const confirm = page.getByRole("dialog", { name: "Forget Mailbox for this agent?" });
  await confirm.getByRole("button", { name: "Forget settings" }).click();
  await expect(page.getByRole("heading", { name: "Helper has no plugins yet" })).toBeVisible();
});

test("an update shows what is new, asks again, and can be rolled back", async ({ app }) => {
  const { page } = app;
  const folder = join(app.home, "mailbox");
  await cp(pluginFolder.mailbox, folder, { recursive: true });
  await app.install(folder);
  await app.set("mailbox", { enabled: true });
  await changePackage(folder, { version: "1.1.0" });
  const source = await readFile(join(folder, "index.js"), "utf8");
  await writeFile(join(folder, "index.js"), source.replace('files: "none"', 'files: "all"'));
  const described = await readFile(join(folder, "patchbay.json"), "utf8");
  await writeFile(join(folder, "patchbay.json"), described.replace('"files": "none"', '"files": "all"'));

  await app.openPlugin("Mailbox", "Versions");
  await page.getByRole("button", { name: "Look for an update" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Update Mailbox?" })).toBeVisible();
  await expect(dialog.getByText("New in this version")).toBeVisible();
  await expect(dialog.getByText("Read and write files everywhere else, too")).toBeVisible();
  await dialog.getByRole("button", { name: "Update", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Mailbox is up to date" })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).first().click();

  await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Roll back to 1.0.0" }).click();
  const card = page.getByRole("dialog", { name: "Roll Mailbox back to 1.0.0?" });
  await expect(card).toContainText("It asks for nothing more.");
  await card.getByRole("button", { name: "Roll back" }).click();
  await expect(dialog.getByRole("heading", { name: "Mailbox is rolled back" })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expect(page.getByText("1.0.0", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
});

test("what is typed and not saved survives a reload, an update and a double-click, but no secret is kept", async ({
  app,
}) => {
  const { page } = app;
  const folder = join(app.home, "weather");
  await cp(pluginFolder.weather, folder, { recursive: true });
  await app.install(folder);
  await app.openPlugin("Weather", "Settings");
  const town = page.getByRole("textbox", { name: "Home" });
  await town.fill("Basel");
  await page.getByLabel("API key").fill("only for this spec");
  await page.reload();
  await expect(town).toHaveValue("Basel");
  await expect(page.getByLabel("API key")).toHaveValue("");
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  expect(kept).toContain("Basel");
  expect(kept).not.toContain("only for this spec");

  await changePackage(folder, { version: "1.0.1" });
  await app.install(folder);
  await expect(page.getByText("1.0.1", { exact: true }).first()).toBeVisible();
  await expect(town).toHaveValue("Basel");
  await page.getByRole("button", { name: "Save settings" }).dblclick();
  const stored = () => app.ask<{ config: { tools?: object } }>("GET", "/agents/helper/plugins/weather");
  await expect.poll(async () => (await stored()).config.tools).toMatchObject({ home: "Basel" });
  await expect(town).toHaveValue("Basel");
  await page.reload();
  await expect(page.getByRole("button", { name: "Save settings" })).toBeDisabled();
});

async function changePackage(folder: string, change: Record<string, unknown>): Promise<void> {
  const file = join(folder, "package.json");
  const before: object = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...before, ...change }));
}
