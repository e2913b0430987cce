import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, pluginFolder, test } from "./support/app.ts";

test("a second agent is made with a scripted model, and has plugins and settings of its own", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true, config: { channel: { address: "one@example.com" } } });
  await expect(app.card("Mailbox").getByText(/one@example.com/)).toBeVisible();
  const script = join(app.home, "steps.json");
  await writeFile(script, JSON.stringify([{ say: "Second here." }]));

  await page.getByRole("button", { name: /^Agent: Helper/ }).click();
  await page.getByRole("menuitem", { name: "Create agent" }).click();
  const dialog = page.getByRole("dialog", { name: "Create agent" });
  await dialog.getByRole("button", { name: "Create agent" }).click();
  await expect(dialog.getByText("Fill this in.")).toBeVisible();
  await dialog.getByLabel("Name", { exact: true }).fill("Second");
  await dialog.getByLabel("Model", { exact: true }).selectOption("scripted");
  await dialog.getByLabel("File").fill(script);
  await dialog.getByRole("button", { name: "Create agent" }).click();

  await expect(page.getByRole("button", { name: /^Agent: Second/ })).toBeVisible();
  const card = app.card("Mailbox");
  await expect(card.getByText("Off", { exact: true })).toBeVisible();
  await app.set("mailbox", { enabled: true, config: { channel: { address: "two@example.com" } } }, "second");
  await expect(card.getByText(/two@example.com/)).toBeVisible();
  await app.openConversation();
  await app.send("Who are you?");
  await expect(page.getByText("Second here.")).toBeVisible();

  await page.getByRole("button", { name: /^Agent: Second/ }).click();
  await page.getByRole("menuitem", { name: /^Helper/ }).click();
  await expect(card.getByText(/one@example.com/)).toBeVisible();
  await expect(page.getByText("Second here.")).toBeHidden();
  await card.getByRole("switch").click();
  await expect(card.getByText("Off", { exact: true })).toBeVisible();
  const second = await app.ask<{ instance: { state: string } }>("GET", "/agents/second/plugins/mailbox");
  expect(second.instance.state).toBe("running");
});

test("an agent is removed after its consequences were named", async ({ app }) => {
  const { page } = app;
  await app.ask("POST", "/agents", { name: "Spare" });
  await page.getByRole("button", { name: /^Agent: Helper/ }).click();
  await page.getByRole("menuitem", { name: /^Spare/ }).click();
  await page.getByRole("button", { name: /^Agent: Spare/ }).click();
  await page.getByRole("menuitem", { name: "Edit Spare…" }).click();
  await page.getByRole("button", { name: "Remove agent" }).click();
  const confirm = page.getByRole("dialog", { name: "Remove Spare?" });
  await expect(confirm).toContainText("its conversations are kept with it");
  await confirm.getByRole("button", { name: "Remove agent" }).click();
  await expect(page.getByRole("button", { name: /^Agent: Helper/ })).toBeVisible();
});
