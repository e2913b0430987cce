import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import type { SetupView } from "../../src/contract/index.ts";
import { IdentityProvider } from "../../test/support/identity-provider.ts";
import { PhoneSimulator } from "../../test/support/phone.ts";
import { running } from "../stand-in/processes.ts";
import { App, pluginFolder } from "../support/app.ts";
import { ServedCore } from "../support/core.ts";
import { listening, processesOf } from "../support/traces.ts";
import { WizardScreen } from "../support/wizard.ts";

const test = base.extend<{ home: string; phone: PhoneSimulator; provider: IdentityProvider }>({
  provider: async ({ baseURL: _ }, use) => {
    const provider = await IdentityProvider.open();
    await use(provider);
    await provider.close();
  },
  home: async ({ baseURL: _ }, use) => {
    const home = await mkdtemp(join(tmpdir(), "patchbay-setup-"));
    await use(home);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
  phone: async ({ baseURL: _ }, use) => {
    const phone = await PhoneSimulator.open();
    await use(phone);
    await phone.close();
  },
});

test("two windows share one setup: what is answered in one is over in the other", async ({
  page,
  context,
  home,
  phone,
}) => {
  const core = await ServedCore.start(home);
  try {
    await core.openIn(page);
    const app = new App(page, home);
    await app.closeWelcome();
    await app.install(pluginFolder.courier);
    const here = new WizardScreen(app);
    await here.toForm("With my phone");
    const there = new WizardScreen(new App(await context.newPage(), home));
    await core.openIn(there.app.page, await core.nextLink());
    await there.app.card("Courier").getByRole("button", { name: "Continue the setup" }).click();
    await expect(there.heading("Find the service")).toBeVisible();
    const before = await app.ask<SetupView>("GET", "/agents/helper/plugins/courier/setup");

    await here.give(phone.url);
    await here.expectStep("external");
    await there.expectStep("external");
    expect(await there.scan()).toBe(phone.qrOf(1));
    const stale = {
      sessionId: before.id,
      stepId: before.step.id,
      answer: { kind: "values", values: { service: "x" } },
    };
    await expect(app.ask("POST", "/agents/helper/plugins/courier/setup/submit", stale)).rejects.toThrow(
      /SETUP_STALE/,
    );

    await here.stop();
    await expect(there.heading("The setup of Courier is over")).toBeVisible();
    await there.button("Start again").click();
    await there.choose("With my phone");
    await there.give(phone.url);
    await there.expectStep("external");
    await here.app.card("Courier").getByRole("button", { name: "Continue the setup" }).click();
    await here.expectStep("external");
    phone.scan();
    for (const window of [here, there]) {
      await expect(window.heading("Courier is connected")).toBeVisible();
      await window.button("Done").click();
      await expect(window.dialog).toBeHidden();
    }
  } finally {
    await core.stop();
  }
});

test("an answer that crosses with another window's is refused where it was given, in words", async ({
  page,
  home,
  phone,
}) => {
  const core = await ServedCore.start(home);
  try {
    await core.openIn(page);
    const app = new App(page, home);
    await app.closeWelcome();
    await app.install(pluginFolder.courier);
    const wizard = new WizardScreen(app);
    await wizard.toForm("With my phone");
    const setup = await app.ask<SetupView>("GET", "/agents/helper/plugins/courier/setup");
    // What happens elsewhere is heard of late here: frames come only when they are let through.
    await page.evaluate(() => {
      const frames: FrameRequestCallback[] = [];
      const slow = window as unknown as { letThrough(): void };
      const [timeout, frame] = [window.setTimeout, window.requestAnimationFrame];
      window.requestAnimationFrame = (callback) => frames.push(callback);
      window.setTimeout = ((callback: () => void, ms?: number) =>
        ms === 250 ? frames.push(callback) : timeout(callback, ms)) as typeof window.setTimeout;
      slow.letThrough = () => {
        [window.setTimeout, window.requestAnimationFrame] = [timeout, frame];
        for (const callback of frames) callback(performance.now());
      };
    });
    await app.ask("POST", "/agents/helper/plugins/courier/setup/submit", {
      sessionId: setup.id,
      stepId: setup.step.id,
      answer: { kind: "values", values: { service: phone.url } },
    });
    await wizard.give("broken:throws");
    await page.evaluate(() => (window as unknown as { letThrough(): void }).letThrough());
    await wizard.expectStep("external");
    await expect(
      wizard.dialog.getByText("This step of the setup is over; another one is shown now.").first(),
    ).toBeVisible();
    await wizard.stop();
  } finally {
    await core.stop();
  }
});

test("a reload of the window takes the setup up where it was", async ({ page, home, phone, provider }) => {
  const core = await ServedCore.start(home);
  try {
    await core.openIn(page);
    const app = new App(page, home);
    await app.closeWelcome();
    await app.install(pluginFolder.courier);
    const wizard = new WizardScreen(app);
    const quiet = listening(processesOf(home));
    await app.card("Courier").getByRole("switch").click();
    await wizard.expectStep("menu");
    await page.reload();
    await wizard.choose("With my account");
    await wizard.give(provider.issuer);
    const redirect = await wizard.redirect();
    await page.reload();
    expect(await wizard.redirect()).toEqual(redirect);
    expect((await fetch(redirect)).status).toBe(400);
    await wizard.button("Use a code on another device instead").click();
    const code = wizard.dialog.getByRole("status", { name: "Code to type" });
    const typed = await code.textContent();
    await page.reload();
    await expect(code).toHaveText(typed ?? "");
    expect(listening(processesOf(home))).toEqual(quiet);
    await wizard.stop();

    await wizard.toForm("With my phone");
    await page.reload();
    await wizard.give(phone.url);
    await wizard.expectStep("external");
    await page.reload();
    await wizard.expectStep("external");
    expect(await wizard.scan()).toBe(phone.qrOf(1));
    expect(phone.pairings.size).toBe(1);
    phone.scan();
    await wizard.expectStep("done");
    await page.reload();
    await wizard.expectStep("done");
    await wizard.button("Done").click();
    await page.reload();
    await expect(app.card("Courier").getByText("Running", { exact: true })).toBeVisible();
    await expect(wizard.dialog).toBeHidden();
  } finally {
    await core.stop();
  }
});

test("quitting or being killed at any step leaves no process, no listener and nothing saved; the setup is offered again", async ({
  context,
  home,
  phone,
  provider,
}) => {
  test.setTimeout(120_000);
  let core = await ServedCore.start(home);
  try {
    let app = new App(await context.newPage(), home);
    await core.openIn(app.page);
    await app.closeWelcome();
    await app.install(pluginFolder.courier);
    for (const [step, end] of [
      ["menu", "kill"],
      ["form", "stop"],
      ["external", "kill"],
      ["external", "stop"],
      ["oauth", "kill"],
      ["oauth", "stop"],
      ["device", "stop"],
    ] as const) {
      let wizard = new WizardScreen(app);
      await app.card("Courier").getByRole("switch").click();
      await wizard.expectStep("menu");
      const signsIn = step === "oauth" || step === "device";
      if (step !== "menu") await wizard.choose(signsIn ? "With my account" : "With my phone");
      if (step === "external") await wizard.give(phone.url);
      if (signsIn) await wizard.give(provider.issuer);
      if (step !== "device") await wizard.expectStep(step);
      const redirect = signsIn ? await wizard.redirect() : null;
      if (step === "device") {
        await wizard.button("Use a code on another device instead").click();
        await expect(wizard.dialog.getByRole("status", { name: "Code to type" })).toBeVisible();
      }
      const held = processesOf(home);
      await core[end]();
      await expect.poll(() => running(held)).toEqual([]);
      expect(listening(held)).toEqual([]);
      if (redirect) await expect(fetch(redirect)).rejects.toThrow();

      core = await ServedCore.start(home);
      await app.page.close();
      app = new App(await context.newPage(), home);
      wizard = new WizardScreen(app);
      await core.openIn(app.page);
      const again = app.card("Courier").getByRole("button", { name: "Continue the setup" });
      await again.click();
      await expect(wizard.heading("The setup of Courier was interrupted")).toBeVisible();
      await wizard.button("Cancel").click();
      await expect(app.card("Courier").getByText("Off", { exact: true })).toBeVisible();
      await expect(again).toBeHidden();
      expect(await app.ask("GET", "/snapshot")).toMatchObject({ setups: [], agentPlugins: [] });
    }
  } finally {
    await core.stop();
  }
});
