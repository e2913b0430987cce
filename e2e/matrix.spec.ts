import type { Page } from "@playwright/test";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth, tabTo } from "./support/axe.ts";

const cell = (page: Page, name: string, agent: string) =>
  page.getByRole("switch", { name: new RegExp(`^Switch ${name} (on|off) for ${agent} `) });

async function furnish(app: App): Promise<void> {
  for (const name of ["careful", "echo", "mailbox"] as const) await app.install(pluginFolder[name]);
  for (const name of ["Research", "Support"]) await app.ask("POST", "/agents", { name });
}

async function openMatrix(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Matrix" }).click();
  await expect(page.getByRole("grid", { name: "Plugins and agents" })).toBeVisible();
}

test("each cell switches one plugin for one agent and shows how it stands", async ({ app }) => {
  await furnish(app);
  const { page } = app;
  await openMatrix(page);
  await expect(page.getByRole("columnheader")).toHaveText([/Plugin/, /Helper/, /Research/, /Support/]);
  await expect(page.getByRole("rowheader")).toHaveCount(3);

  await cell(page, "Careful", "Research").click();
  await expect(cell(page, "Careful", "Research")).toHaveAccessibleName(/\(Running\)$/);
  await expect(page.locator('[data-cable="running"]')).toHaveCount(1);
  await expect(cell(page, "Careful", "Helper")).not.toBeChecked();
  await expect(page.getByRole("columnheader", { name: /Research/ })).toContainText("1 of 3 on");
  await expect(page.getByRole("status").filter({ hasText: "Careful for Research" })).toContainText("Running");

  await app.set("mailbox", { enabled: true, config: { channel: { trouble: "fails" } } }, "support");
  await expect(cell(page, "Mailbox", "Support")).toHaveAccessibleName(/\(Failed to start\)$/);
  await expect(page.getByRole("gridcell").and(page.locator('[data-state="failed"]'))).toHaveCount(1);

  await cell(page, "Careful", "Research").click();
  await expect(cell(page, "Careful", "Research")).toHaveAccessibleName(/\(Off\)$/);
  await page.getByRole("link", { name: "List", exact: true }).click();
  await expect(app.card("Careful")).toBeVisible();
});

test("the grid is one tab stop, moved by arrows, and switched by Space", async ({ app }) => {
  await furnish(app);
  const { page } = app;
  await openMatrix(page);
  await tabTo(page, page.getByRole("rowheader", { name: /Careful/ }).getByRole("link"));
  await page.keyboard.press("ArrowRight");
  await expect(cell(page, "Careful", "Helper")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(cell(page, "Echo", "Helper")).toBeFocused();
  await page.keyboard.press("End");
  await expect(cell(page, "Echo", "Support")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+End");
  await expect(cell(page, "Mailbox", "Support")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await expect(cell(page, "Careful", "Helper")).toHaveAccessibleName(/\(Running\)$/);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Open Careful" })).toBeFocused();
});

test("axe finds nothing on the matrix, in light or in dark", async ({ app }) => {
  await furnish(app);
  await app.set("careful", { enabled: true });
  await app.set("mailbox", { enabled: true, config: { channel: { trouble: "fails" } } });
  const { page } = app;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openMatrix(page);
  await cell(page, "Mailbox", "Helper").focus();
  await expect(page.getByRole("link", { name: "Open Mailbox" })).toBeVisible();
  await expectNoViolationsInBoth(page, "matrix");
});
