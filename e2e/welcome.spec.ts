import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth, tabTo } from "./support/axe.ts";

test.use({ welcome: true });

test("a model, a plugin, and it runs: then the welcome is over for good", async ({ app }) => {
  const { page } = app;
  const file = join(app.home, "script.json");
  await writeFile(file, JSON.stringify([{ say: "Hello." }]));
  await page.getByLabel("Model", { exact: true }).selectOption("scripted");
  await page.getByRole("button", { name: "Use this model" }).click();
  await expect(page.getByText("Fill this in.")).toBeVisible();
  await page.getByLabel("File", { exact: true }).fill(file);
  await page.getByRole("button", { name: "Use this model" }).click();
  await expect(page.getByRole("heading", { name: "Pick a first plugin" })).toBeVisible();
  expect(await app.ask<object>("GET", "/agents/helper")).toMatchObject({ model: { kind: "scripted", file } });

  await page.getByRole("button", { name: "Install Guard" }).click();
  const asks = page.getByRole("region", { name: "Install Guard?" });
  await expect(asks.getByText("Cannot reach your files")).toBeVisible();
  await expectNoViolationsInBoth(page, "what a plugin asks for in the welcome");
  await asks.getByRole("button", { name: "Install and switch on" }).click();
  await expect(page.getByRole("heading", { name: "Guard is patched into Helper" })).toBeVisible();
  await expect(page.getByText("Running", { exact: true })).toBeVisible();
  await expect(page.locator('[data-cable="running"]')).toHaveCount(1);

  await page.getByRole("button", { name: "Start working" }).click();
  await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
  expect(await app.ask("GET", "/settings")).toMatchObject({ welcomeClosed: true });
});

test("it can be closed at once, by keyboard, and does not come back", async ({ app }) => {
  const { page } = app;
  await tabTo(page, page.getByRole("button", { name: "Close the welcome" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Helper has no plugins yet" })).toBeVisible();
  await app.ask("PATCH", "/settings", { theme: "dark" });
  expect(await app.ask("GET", "/settings")).toMatchObject({ theme: "dark", welcomeClosed: true });
});

test("every step can be skipped by keyboard alone", async ({ app }) => {
  const { page } = app;
  for (const heading of ["Pick a first plugin", "Nothing runs yet"]) {
    await tabTo(page, page.getByRole("button", { name: "Skip for now" }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
  }
  await tabTo(page, page.getByRole("button", { name: "Start working" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Helper has no plugins yet" })).toBeVisible();
});

test("axe finds nothing on any step, in light or in dark", async ({ app }) => {
  const { page } = app;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.getByLabel("Model", { exact: true }).selectOption("anthropic");
  await expectNoViolationsInBoth(page, "model");
  await page.getByRole("button", { name: "Skip for now" }).click();
  await expect(page.getByRole("button", { name: "Install Guard" })).toBeVisible();
  await expectNoViolationsInBoth(page, "plugin");
  await app.install("builtin:guard");
  await app.set("guard", { enabled: true });
  await page.getByRole("button", { name: "Skip for now" }).click();
  await expect(page.getByText("Running", { exact: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "run");
});
