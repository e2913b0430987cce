import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PhoneSimulator } from "../../test/support/phone.ts";
import { test as base, expect, pluginFolder } from "./app.ts";
import { expectNothingBut, quiet, Traces } from "./traces.ts";
import { WizardScreen } from "./wizard.ts";

interface Fixtures {
  phone: PhoneSimulator;
  wizard: WizardScreen;
  /** Processes, sockets and files of the app, with Courier installed and before its setup begins. */
  traces: Traces;
}

/**
 * Courier, installed and switched off, with the phone that it is paired with. After each spec, nothing of a setup may
 * be left.
 */
export const test = base.extend<Fixtures>({
  phone: async ({ app: _ }, use) => {
    const phone = await PhoneSimulator.open();
    await use(phone);
    await phone.close();
  },
  wizard: async ({ app }, use, testInfo) => {
    await app.install(pluginFolder.courier);
    await expect(app.card("Courier")).toBeVisible();
    // In the desktop app the browser engine's processes are counted, too, and they come and go by themselves.
    const before = testInfo.project.name === "browser" ? await quiet(app.home) : null;
    await use(new WizardScreen(app));
    if (before && testInfo.errors.length === 0) await expectNothingBut(app.home, before);
  },
  traces: async ({ app, wizard }, use) => {
    // The first wizard makes the files that hold rows and wizards. So one is opened and closed before the files are
    // counted.
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
