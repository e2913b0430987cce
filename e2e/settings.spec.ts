import { expect, pluginFolder, test } from "./support/app.ts";

const secret = "wx-4711-very-secret";

test.beforeEach(async ({ app }) => {
  await app.install(pluginFolder.weather);
});

test("a secret goes in, is shown as stored, and never comes out", async ({ app }) => {
  const { page } = app;
  await app.set("weather", { enabled: true });
  await expect(app.card("Weather").getByText("Needs setup")).toBeVisible();
  await expect(page.locator('[data-cable="needs_setup"]')).toHaveCount(1);
  await expect(app.card("Weather").getByRole("button", { name: "Set up" })).toBeVisible();
  await app.openPlugin("Weather", "Settings");

  await page.getByLabel("API key").fill(secret);
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("Saved and in use.")).toBeVisible();
  await expect(page.getByText("stored in the vault")).toBeVisible();
  await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  expect(JSON.stringify(await app.ask("GET", "/snapshot"))).not.toContain(secret);

  await page.reload();
  await expect(page.getByText("stored in the vault")).toBeVisible();
  await page.getByRole("button", { name: "Replace" }).click();
  await expect(page.getByLabel("API key")).toHaveValue("");
});

test("a value that does not fit the schema is refused at its field and not sent", async ({ app }) => {
  const { page } = app;
  await app.openPlugin("Weather", "Settings");
  const days = page.getByRole("spinbutton", { name: "Days ahead" });
  await expect(days).toHaveValue("3");
  await days.fill("40");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("At most 10.")).toBeVisible();
  await expect(days).toHaveAttribute("aria-invalid", "true");
  const row = await app.ask<{ config: object }>("GET", "/agents/helper/plugins/weather");
  expect(row.config).toEqual({});

  await days.fill("5");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("Saved and in use.")).toBeVisible();
  await expect(page.getByText("At most 10.")).toBeHidden();
});

test("what the plugin itself refuses is shown at the field, and saving a better value cures it", async ({
  app,
}) => {
  const { page } = app;
  await app.set("weather", { enabled: true, secrets: { apiKey: secret } });
  await app.openPlugin("Weather", "Settings");
  const home = page.getByRole("textbox", { name: "Home" });
  await home.fill("Atlantis");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByRole("alert")).toContainText("Atlantis has no weather station");
  await expect(home).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator("#setting_home__error")).toContainText("Atlantis has no weather station");

  await home.fill("Bern");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("alert")).toBeHidden();
});

test("lists, choices and switches are saved as they are shown", async ({ app }) => {
  const { page } = app;
  await app.openPlugin("Weather", "Settings");
  await page.getByRole("combobox", { name: "Units" }).selectOption({ label: "Fahrenheit, mph" });
  await page.getByRole("switch", { name: "Storm warnings" }).click();
  await page.getByRole("button", { name: "Remove entry 1" }).click();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.locator("#setting_places_1").fill("Oslo");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("Saved and in use.")).toBeVisible();
  const row = await app.ask<{ config: { tools: object } }>("GET", "/agents/helper/plugins/weather");
  expect(row.config.tools).toMatchObject({ units: "imperial", warnings: false, places: ["Lisbon", "Oslo"] });
});

test("when somebody else saved first, both versions are shown and nothing is overwritten unasked", async ({
  app,
}) => {
  const { page } = app;
  await app.openPlugin("Weather", "Settings");
  await page.getByRole("textbox", { name: "Home" }).fill("Bern");
  await app.set("weather", { config: { tools: { home: "Lisbon", units: "metric" } } });
  await page.getByRole("button", { name: "Save settings" }).click();
  const conflict = page.getByRole("alert", { name: "Somebody saved other settings in the meantime" });
  await expect(conflict).toContainText('"home": "Bern"');
  await expect(conflict).toContainText('"home": "Lisbon"');
  await conflict.getByRole("button", { name: "Save mine" }).click();
  await expect(page.getByText("Saved and in use.")).toBeVisible();
  const row = await app.ask<{ config: { tools: object } }>("GET", "/agents/helper/plugins/weather");
  expect(row.config.tools).toMatchObject({ home: "Bern" });
});

test("changes that are not saved survive a look at another page", async ({ app }) => {
  const { page } = app;
  await app.openPlugin("Weather", "Settings");
  await page.getByRole("textbox", { name: "Home" }).fill("Basel");
  await page.getByRole("tab", { name: "Overview" }).click();
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(page.getByRole("textbox", { name: "Home" })).toHaveValue("Basel");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByRole("textbox", { name: "Home" })).toHaveValue("");
});
