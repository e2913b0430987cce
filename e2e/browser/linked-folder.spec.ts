import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pluginFolder } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { expect, test } from "../support/served.ts";

test("a linked folder says that it is run as it is, and asks when it declares more than was agreed to", async ({
  page,
  app,
  home,
  serve,
}) => {
  await (await serve()).openIn(page);
  await app.closeWelcome();
  const folder = join(home, "linked-mailbox");
  await cp(pluginFolder.mailbox, folder, { recursive: true });
  const job = await app.ask<{ id: string }>("POST", "/jobs", { spec: folder, link: true, yes: true });
  await expect
    .poll(async () => (await app.ask<{ status: string }>("GET", `/jobs/${job.id}`)).status)
    .toBe("done");
  await app.set("mailbox", { enabled: true });
  await app.openPlugin("Mailbox", "Overview");
  await expect(page.getByText(/^A linked folder is run as it is/)).toBeVisible();

  for (const name of ["index.js", "patchbay.json"]) {
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(join(folder, name), text.replace(/("?)files\1: "none"/, '$1files$1: "all"'));
  }
  await app.ask("POST", "/agents/helper/plugins/mailbox/restart");
  const note = page.getByRole("status").filter({ hasText: "Its folder declares more than you agreed to" });
  await expect(note).toContainText("It now wants all files.");
  await expectNoViolationsInBoth(page, "linked-folder");
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(page.getByText("Es möchte jetzt alle Dateien.")).toBeVisible();
  await app.ask("PATCH", "/settings", { language: "en" });
  await page.getByRole("button", { name: "Review" }).click();
  const card = page.getByRole("dialog", { name: "Update Mailbox?" });
  await expect(card).toContainText("It now wants all files.");
  await card.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Mailbox is up to date" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
  await expect(note).toHaveCount(0);
});
