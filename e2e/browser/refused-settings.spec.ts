import { expect, pluginFolder, test } from "../support/app.ts";
import { test as served } from "../support/served.ts";

const path = "/agents/helper/plugins/weather";
interface Row {
  config: { tools?: { home?: string } };
  instance: { state: string };
  refusedSettings?: object;
}

test("settings that a plugin refuses leave it running with those that worked, and offer the way back", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.weather);
  await app.set("weather", {
    enabled: true,
    config: { tools: { home: "Bern" } },
    secrets: { apiKey: "key-of-the-spec" },
  });
  const row = () => app.ask<Row>("GET", path);
  const home = page.getByRole("textbox", { name: "Home" });
  const note = page.getByRole("region", { name: "The plugin did not start with what you saved" });
  const save = page.getByRole("button", { name: "Save settings" });

  await test.step("the plugin goes on, and what was typed stays with the reason at its field", async () => {
    await app.openPlugin("Weather", "Settings");
    await home.fill("Atlantis");
    await save.click();
    await expect(note).toContainText("Atlantis has no weather station");
    await expect(note).toContainText("It goes on running with the settings that worked before.");
    await expect(page.locator("#setting_home__error")).toContainText("Atlantis has no weather station");
    await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
    expect(await row()).toMatchObject({
      config: { tools: { home: "Bern" } },
      instance: { state: "running" },
    });
  });

  await test.step("so it does after a reload", async () => {
    await page.reload();
    await expect(home).toHaveValue("Atlantis");
    await expect(note).toBeVisible();
    await note.getByRole("button", { name: "Try again" }).click();
    await expect(save).toBeEnabled();
    await expect(note).toContainText("Atlantis has no weather station");
  });

  await test.step("going back drops what was refused", async () => {
    await note.getByRole("button", { name: "Go back to the settings that work" }).click();
    await expect(home).toHaveValue("Bern");
    await expect(note).toBeHidden();
    await expect.poll(async () => (await row()).refusedSettings).toBeUndefined();
  });

  await test.step("a better value is taken after a refusal", async () => {
    await home.fill("Atlantis");
    await save.click();
    await expect(note).toBeVisible();
    // The note can stand there a moment before the save itself is over.
    await expect(save).toBeEnabled();
    await home.fill("Rome");
    await save.click();
    await expect(page.getByText("Saved and in use.")).toBeVisible();
    await expect(note).toBeHidden();
    expect(await row()).toMatchObject({ config: { tools: { home: "Rome" } } });
  });
});

test("what blocks a save is said in the one line of the save bar, with the way to the field", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.weather);
  await app.openPlugin("Weather", "Settings");
  const bar = page.getByRole("region", { name: "Save", exact: true });
  await page.getByRole("textbox", { name: "Home" }).fill("Bern");

  await test.step("a missing secret", async () => {
    await bar.getByRole("button", { name: "API key is missing" }).click();
    await expect(page.getByLabel("API key")).toBeFocused();
    await page.keyboard.type("key-of-the-spec");
    await expect(bar.getByRole("button", { name: "API key is missing" })).toBeHidden();
  });

  await test.step("a value that does not fit", async () => {
    await page.getByRole("spinbutton", { name: "Days ahead" }).fill("40");
    await bar.getByRole("button", { name: "Days ahead: At most 10." }).click();
    await expect(page.getByRole("spinbutton", { name: "Days ahead" })).toBeFocused();
  });

  await test.step("text that is no JSON", async () => {
    await page.getByRole("radio", { name: "JSON" }).click();
    await expect(page.getByRole("textbox", { name: "Settings as JSON" })).toBeVisible();
    await bar.getByRole("button", { name: "Days ahead: At most 10." }).click();
    await expect(page.getByRole("textbox", { name: "Settings as JSON" })).toBeFocused();
  });

  for (const width of [1280, 800, 640]) {
    await page.setViewportSize({ width, height: 700 });
    const box = await bar.boundingBox();
    expect(box?.height, `at ${width}`).toBeLessThan(64);
    const button = await bar.getByRole("button", { name: "Save settings" }).boundingBox();
    expect((button?.x ?? 0) + (button?.width ?? 0), `at ${width}`).toBeLessThanOrEqual(width);
  }
});

served(
  "settings of a plugin that sleeps are checked when they are saved",
  async ({ page, app, serve, serveOpen }) => {
    const core = await serveOpen();
    await app.install(pluginFolder.weather);
    await app.set("weather", {
      enabled: true,
      config: { tools: { home: "Bern" } },
      secrets: { apiKey: "key-of-the-spec" },
    });
    await core.kill();
    await serve();
    await page.reload();
    await expect(app.card("Weather")).toBeVisible();
    expect(await app.ask<Row>("GET", path)).toMatchObject({ instance: { state: "stopped" } });

    await app.openPlugin("Weather", "Settings");
    await page.getByRole("textbox", { name: "Home" }).fill("Atlantis");
    const checking = page.getByText("Checking…", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save settings" }).click();
    await checking;
    const note = page.getByRole("region", { name: "The plugin did not start with what you saved" });
    await expect(note).toContainText("Atlantis has no weather station");
    await expect(note).toContainText("It goes on running with the settings that worked before.");
    expect(await app.ask<Row>("GET", path)).toMatchObject({
      config: { tools: { home: "Bern" } },
      instance: { state: "running" },
    });
  },
);
