import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { App } from "../support/app.ts";
import { ServedCore } from "../support/core.ts";

test("a plugin of a system that the screens have never heard of is installed, runs and shows what it offers", async ({
  page,
}) => {
  const home = await mkdtemp(join(tmpdir(), "patchbay-fifth-"));
  const core = await ServedCore.run(
    [join(import.meta.dirname, "../../test/support/fifth-core.ts"), home],
    home,
  );
  try {
    await core.openIn(page);
    const app = new App(page, home);
    await app.closeWelcome();
    await page.getByRole("button", { name: "Add plugin" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("desk:mine");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(dialog.getByRole("heading", { name: "Install Desk?" })).toBeVisible();
    await expect(dialog.getByText("Desk services", { exact: true })).toBeVisible();
    await expect(dialog.getByText("Reaches these hosts: desk.example")).toBeVisible();
    await expect(dialog.getByText("Also asks for: drawers")).toBeVisible();
    await expect(dialog.getByText("Patchbay holds it to nothing")).toBeVisible();
    await dialog.getByRole("button", { name: "Install", exact: true }).click();
    await dialog.getByRole("button", { name: "Switch on for Helper" }).click();

    const card = app.card("Desk");
    await expect(card.getByText("Running", { exact: true })).toBeVisible();
    await expect(card.getByText("Desk services", { exact: true })).toBeVisible();
    await expect(page.locator('[data-cable="running"]')).toHaveCount(1);

    await app.openPlugin("Desk", "Overview");
    await expect(page.getByText("desk__open__drawer").first()).toBeVisible();
    await expect(page.getByText("desk__a__b__c")).toBeHidden();
    await app.ask("POST", "/agents/helper/tools/desk__open__drawer/call", { input: {}, yes: true });
    await expect(page.getByText("desk__a__b__c").first()).toBeVisible();
    await expect(page.getByRole("heading", { name: "Good to know" })).toBeVisible();
    await expect(page.getByText("It offers a.b.c, which it did not declare.")).toBeVisible();
  } finally {
    await core.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
