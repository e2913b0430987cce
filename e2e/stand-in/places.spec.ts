import { join } from "node:path";
import { expect } from "@playwright/test";
import { ask } from "../support/core.ts";
import { test } from "./desktop.ts";

const mailbox = join(import.meta.dirname, "..", "plugins", "mailbox");

test("a folder that is dropped on the window is installed from where it lies; one is chosen in the system's dialog", async ({
  desktop,
  home,
}) => {
  const { page } = desktop;
  await ask(home, "PATCH", "/settings", { welcomeClosed: true });
  await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
  await desktop.drop(mailbox);
  await expect(page.getByRole("heading", { name: "Install Mailbox?" })).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: "Do not install" }).click();
  await page.getByRole("button", { name: "Close" }).first().click();

  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const spec = page.getByRole("textbox", { name: "Name, path or address of a plugin" });
  const dialogs = async () => (await desktop.recorded()).dialogs.map(({ text }) => text);
  await page.getByRole("button", { name: "Choose folder…" }).click();
  await expect.poll(dialogs).toEqual(["openDirectory"]);
  await desktop.choosePath();
  await expect(spec).toHaveValue("");
  await page.getByRole("button", { name: "Choose folder…" }).click();
  await expect.poll(dialogs).toEqual(["openDirectory", "openDirectory"]);
  await desktop.choosePath(mailbox);
  await expect(spec).toHaveValue(mailbox);
});
