import { pluginFolder } from "./support/app.ts";
import { tabTo } from "./support/axe.ts";
import { callCourier, expect, test } from "./support/courier.ts";

test("the whole setup is done by keyboard, and each step is read out", async ({ app, phone, wizard }) => {
  const { page } = app;
  const { dialog } = wizard;
  const readOut = page.locator("body > #root [aria-live=polite].sr-only").last();
  await tabTo(page, app.card("Courier").getByRole("switch"));
  await page.keyboard.press("Space");
  await expect(wizard.heading("How do you want to connect?")).toBeFocused();
  await expect(readOut).toHaveText("How do you want to connect?");
  await page.keyboard.press("Tab");
  await expect(wizard.button("With my phone")).toBeFocused();
  await page.keyboard.press("Enter");

  await expect(dialog.getByLabel("Address")).toBeFocused();
  await expect(readOut).toHaveText("Find the service");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Fill this in.")).toBeVisible();
  await expect(dialog.getByLabel("Address")).toBeFocused();
  await page.keyboard.type(phone.url);
  await page.keyboard.press("Tab");
  await expect(dialog.getByLabel(/^PIN/)).toBeFocused();
  await page.keyboard.type("471100");
  await page.keyboard.press("Enter");

  await expect(wizard.heading("Link your phone")).toBeFocused();
  await tabTo(page, wizard.button("Can't scan? Use a code instead"));
  phone.rotate();
  await expect(readOut).toHaveText("A new code is shown.");
  await expect(wizard.button("Can't scan? Use a code instead")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("status", { name: "Code to type" })).toHaveText("CODE-2");
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press("Tab");
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }

  const question = page.getByRole("dialog", { name: "Stop setting up Courier?" });
  await page.keyboard.press("Escape");
  await expect(question.getByText("The code that is shown stops working.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(wizard.heading("Link your phone")).toBeFocused();
  phone.scan();
  await expect(wizard.heading("Courier is connected")).toBeFocused();
  await tabTo(page, wizard.button("Done"));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
});

test("a plugin that only needs a form has the same setup; what is refused stays typed", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.weather);
  await app.card("Weather").getByRole("switch").click();
  const dialog = page.locator("[data-setup=settings]");
  await expect(
    dialog.getByRole("textbox", { name: /API key/ }).or(dialog.getByLabel("API key")),
  ).toBeFocused();
  await dialog.getByRole("button", { name: "Save and switch on" }).click();
  await expect(dialog.getByText("Fill this in.")).toBeVisible();
  await dialog.getByLabel("API key").fill("wx-4711-very-secret");
  await dialog.getByRole("spinbutton", { name: "Days ahead" }).fill("99");
  await dialog.getByRole("button", { name: "Save and switch on" }).click();
  await expect(dialog.getByText("At most 10.")).toBeVisible();
  await dialog.getByRole("spinbutton", { name: "Days ahead" }).fill("4");
  await dialog.getByRole("button", { name: "Save and switch on" }).click();
  await expect(page.getByRole("heading", { name: "Weather is connected" })).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(app.card("Weather").getByText("Running", { exact: true })).toBeVisible();
  expect(await page.content()).not.toContain("wx-4711-very-secret");
});

test("the setup is reached by the palette, by a link, from the page and in German", async ({
  app,
  phone,
  wizard,
}) => {
  const { page } = app;
  await page.keyboard.press("Control+k");
  await page.keyboard.type("set up courier");
  await page.keyboard.press("Enter");
  await wizard.choose("With my phone");
  await wizard.give(phone.url);
  await wizard.expectStep("external");
  phone.scan();
  await wizard.button("Done").click();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("patchbay://agents/helper/plugins/courier/setup");
  await page.keyboard.press("Enter");
  await expect(page.getByText(`Connected as ${phone.account}`)).toBeVisible();
  await page.getByRole("button", { name: "Set up again" }).click();
  await expect(wizard.dialog.getByText("Set up again for Helper")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(app.page.getByRole("heading", { name: "Set up for Helper" })).toBeVisible();

  // A plugin that is not let in any more offers by itself to be signed in again.
  expect((await callCourier(app.home, "unlink")).status).toBe(200);
  await expect(page.getByText("Courier is not let in any more")).toBeVisible();
  await app.ask("PATCH", "/settings", { language: "de" });
  await page.getByRole("button", { name: "Neu anmelden" }).first().click();
  await expect(wizard.dialog.getByText("Neu anmelden für Helper")).toBeVisible();
  await wizard.button("With my phone").click();
  await expect(wizard.button("Weiter")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Das Einrichten von Courier abbrechen?" })).toBeVisible();
});
