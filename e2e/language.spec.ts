import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

test("German is chosen in the settings, reaches every screen at once, and outlives a reload", async ({
  app,
}) => {
  const { page } = app;
  await app.goTo("/agents/helper/settings/appearance");
  await page.getByLabel("Language").selectOption("Deutsch");
  await expect(page.getByRole("heading", { name: "Darstellung", exact: true })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page.getByRole("link", { name: "Freigaben" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Darstellung", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Über Patchbay" }).click();
  await expect(page.getByText(/^\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}$/)).toBeVisible();
  await page.getByRole("link", { name: "Darstellung" }).click();
  await page.getByLabel("Sprache").selectOption("English");
  await expect(page.getByRole("heading", { name: "Appearance", exact: true })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});

test("a failure is explained in German, with the core's own sentence below", async ({ app }) => {
  const { page } = app;
  await app.ask("PATCH", "/settings", {
    language: "de",
    catalogUrls: ["http://127.0.0.1:9/catalogue.json"],
  });
  await app.goTo("/agents/helper/settings/sources");
  await page.getByRole("button", { name: "http://127.0.0.1:9/catalogue.json prüfen" }).click();
  await expect(
    page.getByRole("paragraph").filter({ hasText: "Das Paketverzeichnis hat nicht geantwortet." }),
  ).toBeVisible();
  await expect(page.getByRole("paragraph").filter({ hasText: "127.0.0.1:9 did not answer." })).toBeVisible();
});

test("axe finds nothing on the German screens, in light or in dark", async ({ app }) => {
  const { page } = app;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await app.install(pluginFolder.careful);
  await app.set("careful", { enabled: true });
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(app.card("Careful").getByText("Läuft", { exact: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "home in German");
  await app.goTo("/agents/helper/plugins/careful/activity");
  await expect(page.getByRole("tab", { name: "Aktivität", selected: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "activity in German");
  await app.goTo("/agents/helper/settings/limits");
  await expect(page.getByRole("heading", { name: "Grenzen", exact: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "limits in German");
});
