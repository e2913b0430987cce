import type { SetupView } from "../src/contract/index.ts";
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

test("a plugin that only needs a form has the same setup, by keyboard; what is refused stays typed, at its field", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.weather);
  const dialog = page.locator("[data-setup]");
  const days = dialog.getByRole("spinbutton", { name: "Days ahead" });
  const home = dialog.getByRole("textbox", { name: "Home" });
  const save = async () => {
    await tabTo(page, dialog.getByRole("button", { name: "Save and switch on" }));
    await page.keyboard.press("Enter");
  };
  const type = async (field: typeof home, text: string) => {
    await tabTo(page, field);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(text);
  };
  await tabTo(page, app.card("Weather").getByRole("switch"));
  await page.keyboard.press("Space");
  await expect(dialog.getByLabel("API key")).toBeFocused();
  await save();
  await expect(dialog.getByText("Fill this in.")).toBeVisible();
  await type(dialog.getByLabel("API key"), "wx-4711-very-secret");
  await type(days, "99");
  await save();
  await expect(dialog.getByText("At most 10.")).toBeVisible();
  await type(days, "4");
  await type(home, "Atlantis");
  await save();
  await expect(home).toHaveValue("Atlantis");
  await expect(home).toHaveAttribute("aria-invalid", "true");
  await expect(home).toBeFocused();
  await expect(dialog.getByText("Atlantis has no weather station", { exact: true })).toBeVisible();
  await expect(days).toHaveValue("4");
  const place = "/agents/helper/plugins/weather";
  expect(await app.ask("GET", place)).toMatchObject({ config: {}, setupState: { finished: null } });
  expect(await app.ask("GET", "/secrets")).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Stop setting up Weather?" })).toBeVisible();
  await page.keyboard.press("Escape");
  await type(home, "Bern");
  await save();
  await expect(page.getByRole("heading", { name: "Weather is connected" })).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Done" }));
  await page.keyboard.press("Enter");
  await expect(app.card("Weather").getByText("Running", { exact: true })).toBeVisible();
  expect(await page.content()).not.toContain("wx-4711-very-secret");

  const { id, step } = await app.ask<SetupView>("POST", `${place}/setup/begin`, {});
  const answer = { kind: "settings", config: { tools: { units: "metric", home: "Atlantis" } } };
  await expect(
    app.ask("POST", `${place}/setup/submit`, { sessionId: id, stepId: step.id, answer }),
  ).rejects.toThrow(
    /"code":"CONFIG_REFUSED".*"fields":\[\{"path":"tools.home","message":"Atlantis has no weather station"\}\]/,
  );
  expect(await app.ask("GET", place)).toMatchObject({ enabled: true, config: { tools: { home: "Bern" } } });
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
  await wizard.button("Send a test message").click();
  const to = wizard.dialog.getByRole("textbox", { name: "Send a test message to" });
  await expect(to).toBeFocused();
  await expect(wizard.button("Send")).toBeDisabled();
  await expect(wizard.dialog.getByText(/^Nobody has written to Courier yet\./)).toBeVisible();
  await to.fill("nowhere");
  await page.keyboard.press("Enter");
  await expect(wizard.dialog.getByRole("alert")).toContainText(
    "The message was not sent: there is no such chat.",
  );
  await to.fill("+49 30 1");
  await wizard.button("Send").click();
  await expect(wizard.dialog.getByText("Sent to +49 30 1.")).toBeVisible();
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
