import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pluginFolder, test, expect as usual } from "./support/app.ts";

/** Jobs copy, inspect and start things, which takes a busy machine its time. */
const expect = usual.configure({ timeout: 30_000 });

/** One plugin from its folder to its return, all of it by what the screens offer. */
test("install, consent, switch on, configure, fail, fix, update, roll back, uninstall, and back with its state", async ({
  app,
}) => {
  test.setTimeout(180_000);
  const { page } = app;
  const folder = join(app.home, "mailbox");
  await cp(pluginFolder.mailbox, folder, { recursive: true });
  const dialog = page.getByRole("dialog");
  const state = (word: string) => page.getByText(word, { exact: true }).first();
  const tab = (name: string) => page.getByRole("tab", { name }).click();
  const save = async () => {
    await page.getByRole("button", { name: "Save settings" }).click();
    await expect(page.getByRole("button", { name: "Save settings" })).toBeDisabled();
  };

  await test.step("install with consent and switch on", async () => {
    await page.getByRole("button", { name: "Add plugin" }).first().click();
    await dialog.getByRole("textbox").fill(folder);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(dialog.getByRole("heading", { name: "Install Mailbox?" })).toBeVisible();
    await dialog.getByRole("button", { name: "Install", exact: true }).click();
    await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
    await expect(app.card("Mailbox").getByText("Running", { exact: true })).toBeVisible();
  });

  await test.step("configure", async () => {
    await app.openPlugin("Mailbox", "Settings");
    await page.getByRole("textbox", { name: "Address" }).fill("life@example.com");
    await save();
    await tab("Activity");
    await expect(
      page.getByRole("tabpanel").getByText("Connected as life@example.com", { exact: true }),
    ).toBeVisible();
  });

  await test.step("fail, with its reason", async () => {
    await tab("Settings");
    await page.getByRole("combobox", { name: "Pretend trouble" }).selectOption("fails");
    await save();
    // What does not start is refused: the plugin goes on with the settings before.
    await expect(page.getByText("The mail server refused the password.").first()).toBeVisible();
    await expect(state("Running")).toBeVisible();
  });

  await test.step("fix", async () => {
    await page.getByRole("button", { name: "Go back to the settings that work" }).click();
    await expect(page.getByRole("combobox", { name: "Pretend trouble" })).toHaveValue(/none|^0$/);
    await expect(state("Running")).toBeVisible();
    await expect(page.getByText("The mail server refused the password.")).toBeHidden();
  });

  await test.step("update, with what is new", async () => {
    const manifest = join(folder, "package.json");
    const before: object = JSON.parse(await readFile(manifest, "utf8"));
    await writeFile(manifest, JSON.stringify({ ...before, version: "1.1.0" }));
    const source = await readFile(join(folder, "index.js"), "utf8");
    await writeFile(join(folder, "index.js"), source.replace('files: "none"', 'files: "all"'));
    const described = await readFile(join(folder, "patchbay.json"), "utf8");
    await writeFile(join(folder, "patchbay.json"), described.replace('"files": "none"', '"files": "all"'));
    await tab("Versions");
    await page.getByRole("button", { name: "Look for an update" }).click();
    await expect(dialog.getByText("Read and write files everywhere else, too")).toBeVisible();
    await dialog.getByRole("button", { name: "Update", exact: true }).click();
    await expect(dialog.getByRole("heading", { name: "Mailbox is up to date" })).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await expect(state("Running")).toBeVisible();
  });

  await test.step("roll back", async () => {
    await page.getByRole("button", { name: "Roll back to 1.0.0" }).click();
    await dialog.getByRole("button", { name: "Roll back" }).click();
    await expect(dialog.getByRole("heading", { name: "Mailbox is rolled back" })).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await expect(state("Running")).toBeVisible();
  });

  await test.step("uninstall", async () => {
    await page.getByRole("button", { name: "Uninstall" }).click();
    await dialog.getByRole("button", { name: "Uninstall" }).click();
    await expect(page.getByText(/Not installed\. Its settings are kept/).first()).toBeVisible();
  });

  await test.step("install again, with its settings and its switch as they were", async () => {
    await app.goTo("/agents/helper/plugins");
    await app.card("Mailbox").getByRole("button", { name: "Install again" }).click();
    // Where it came from is known still.
    await expect(dialog.getByRole("textbox")).toHaveValue(folder);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByRole("button", { name: "Install", exact: true }).click();
    await expect(dialog.getByRole("heading", { name: "Mailbox is installed" })).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await expect(app.card("Mailbox").getByRole("switch")).toBeChecked();
    await expect(app.card("Mailbox").getByText(/^Connected as life@example.com/)).toBeVisible();
  });
});
