import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PhoneSimulator } from "../../test/support/phone.ts";
import { test as base, expect, pluginFolder } from "./app.ts";
import { Traces } from "./traces.ts";
import { WizardScreen } from "./wizard.ts";

interface Fixtures {
  phone: PhoneSimulator;
  wizard: WizardScreen;
  /** What the app held on to when Courier was installed and its setup had not begun. */
  traces: Traces;
}

/** Courier, installed and off, with the phone that it is paired with. */
export const test = base.extend<Fixtures>({
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
  traces: async ({ app, wizard }, use) => {
    // The files in which rows and wizards are kept are made by the first of them.
    await app.card("Courier").getByRole("switch").click();
    await wizard.expectStep("menu");
    await app.page.keyboard.press("Escape");
    await expect(wizard.dialog).toBeHidden();
    await use(await Traces.before(app.home));
  },
});

/** Calls Courier's webhook as its service does. */
export function callCourier(home: string, body: string, agent = "helper"): Promise<Response> {
  const { url } = JSON.parse(readFileSync(join(home, "gateway.json"), "utf8")) as { url: string };
  return fetch(`${url}/api/agents/${agent}/channels/courier/webhook`, { method: "POST", body });
}

export { expect };
