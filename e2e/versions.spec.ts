import { expect, pluginFolder, test } from "./support/app.ts";

test("uninstalling names what happens, keeps the settings, and installing again brings them back", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true, config: { channel: { address: "kept@example.com" } } });
  await app.openPlugin("Mailbox", "Versions");
  await page.getByRole("button", { name: "Uninstall" }).click();
  const confirm = page.getByRole("dialog", { name: "Uninstall Mailbox?" });
  await expect(confirm).toContainText("It stops for Helper.");
  await expect(confirm).toContainText("Settings, stored secrets");
  await confirm.getByRole("button", { name: "Uninstall" }).click();

  const inert = page.getByRole("article", { name: "mailbox", exact: true });
  await expect(inert).toContainText("Not installed. Its settings are kept");
  await app.install(pluginFolder.mailbox);
  await expect(app.card("Mailbox").getByText(/kept@example.com/)).toBeVisible();
});

test("what is kept of an uninstalled plugin can be forgotten", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true, config: { channel: { address: "kept@example.com" } } });
  await app.ask("DELETE", "/plugins/mailbox");
  const inert = page.getByRole("article", { name: "mailbox", exact: true });
  await inert.getByRole("link", { name: "mailbox" }).click();
  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByRole("button", { name: "Forget settings" }).click();
  const confirm = page.getByRole("dialog", { name: "Forget mailbox for this agent?" });
  await confirm.getByRole("button", { name: "Forget settings" }).click();
  await expect(page.getByRole("heading", { name: "Helper has no plugins yet" })).toBeVisible();
});
