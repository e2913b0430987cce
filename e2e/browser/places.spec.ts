import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pluginFolder } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { test as base, expect } from "../support/served.ts";

const test = base.extend({
  userHome: async ({ baseURL: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-person-"));
    await cp(pluginFolder.mailbox, join(folder, "plugins", "mailbox"), { recursive: true });
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

test("a folder is chosen from a list where no desktop has a dialog; a dropped one is answered with the same", async ({
  page,
  app,
  userHome,
  serve,
}) => {
  await page.goto((await serve()).link);
  await app.closeWelcome();
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  await page.getByRole("button", { name: "Choose folder…" }).click();
  const picker = page.getByRole("dialog", { name: "Choose a folder" });
  await expect(picker.getByRole("button", { name: "plugins" })).toBeVisible();
  await expect(picker.getByRole("button", { name: "One folder up" })).toHaveCount(0);
  await expectNoViolationsInBoth(page, "places");
  await picker.getByRole("button", { name: "plugins" }).click();
  await picker.getByRole("button", { name: "mailbox" }).click();
  await expect(picker.getByRole("button", { name: "index.js" })).toBeDisabled();
  await picker.getByRole("button", { name: "Choose this folder" }).click();
  const spec = page.getByRole("textbox", { name: "Name, path or address of a plugin" });
  await expect(spec).toHaveValue(/plugins[\\/]mailbox$/);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Install Mailbox?" })).toBeVisible();
  await page.getByRole("button", { name: "Do not install" }).click();
  await page.getByRole("button", { name: "Close" }).first().click();

  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [join(String(userHome), "plugins", "mailbox")], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 400, y: 300, data });
  const refused = page.getByRole("dialog", { name: "This cannot be installed from here" });
  await expect(refused).toContainText("“mailbox” is a folder");
  await refused.getByRole("button", { name: "Choose folder…" }).click();
  await expect(picker.getByRole("button", { name: "index.js" })).toBeVisible();
  await picker.getByRole("button", { name: "Choose this folder" }).click();
  await expect(spec).toHaveValue(/plugins[\\/]mailbox$/);
});
