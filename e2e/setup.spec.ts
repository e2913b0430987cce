import { PhoneSimulator } from "../test/support/phone.ts";
import { test as base, expect, pluginFolder } from "./support/app.ts";
import { expectNoViolations } from "./support/axe.ts";
import { Traces } from "./support/traces.ts";
import { WizardScreen } from "./support/wizard.ts";

/** Courier, installed and off, with the phone that it is paired with; nothing is left of what was not finished. */
const test = base.extend<{ phone: PhoneSimulator; wizard: WizardScreen; traces: Traces }>({
  phone: async ({ app: _ }, use) => {
    const phone = await PhoneSimulator.open();
    await use(phone);
    await phone.close();
  },
  wizard: async ({ app }, use) => {
    await app.install(pluginFolder.courier);
    await expect(app.card("Courier")).toBeVisible();
    await use(new WizardScreen(app));
  },
  traces: async ({ app, wizard: _ }, use) => {
    await use(await Traces.before(app.home));
  },
});

for (const colorScheme of ["light", "dark"] as const)
  test(`a QR code is read off the screen through rotations and an expiry, in ${colorScheme}`, async ({
    app,
    phone,
    wizard,
  }) => {
    const { page } = app;
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await wizard.toForm("With my phone");
    await wizard.give(phone.url);
    const qr = wizard.dialog.getByRole("img", { name: "QR code of Courier" });
    await expect(qr).toBeVisible();
    expect(await qr.boundingBox()).toMatchObject({ width: 280, height: 280 });
    for (const number of [1, 2, 3]) {
      await expect(wizard.dialog.getByText(`Code ${number} of 6`)).toBeVisible();
      expect(await wizard.scan()).toBe(phone.qrOf(number));
      await expectNoViolations(page, `QR code ${number}`);
      if (number === 2) phone.goodForMs = 2_500;
      if (number < 3) phone.rotate();
    }

    await expect(wizard.dialog.getByText("This code has expired")).toBeVisible();
    await expect(qr).toHaveAttribute("data-qr", "spent");
    expect(await wizard.scan()).toBeNull();
    await expectNoViolations(page, "expired QR code");
    // While the service is out of order nothing new comes by itself; the person's click asks at once.
    phone.failures = ["500", "html", "hang-up", "500", "500"];
    for (const failures of [2, 3, 4, 5]) {
      await expect(wizard.dialog.getByText(/^Could not ask how it goes/)).toBeVisible();
      await wizard.button("Try now").click();
      await expect(wizard.dialog.getByText(`Could not ask how it goes, ${failures} times now`)).toBeVisible();
    }
    await expectNoViolations(page, "a poll that fails");
    phone.goodForMs = 60_000;
    phone.rotate();
    await wizard.button("Show a new code").click();
    await expect(wizard.dialog.getByText("Code 4 of 6")).toBeVisible();
    expect(await wizard.scan()).toBe(phone.qrOf(4));

    phone.scan();
    await expect(wizard.heading("Courier is connected")).toBeVisible();
    await expect(wizard.dialog.getByText(`Connected as ${phone.account}`)).toBeVisible();
    await expect(wizard.dialog.getByText("Running", { exact: true })).toBeVisible();
    await expectNoViolations(page, "connected");
    await wizard.button("Done").click();
    await expect(app.card("Courier").getByRole("switch")).toBeChecked();
  });
