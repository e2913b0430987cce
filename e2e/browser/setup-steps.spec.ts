import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdentityProvider } from "../../test/support/identity-provider.ts";
import type { App } from "../support/app.ts";
import { pluginFolder } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { expect, test } from "../support/courier.ts";
import { listening, processesOf } from "../support/traces.ts";
import type { Way } from "../support/wizard.ts";

/** They go through the setup many times. */
test.describe.configure({ timeout: 240_000 });

test("a QR code is read off the screen through rotations and an expiry, light and dark", async ({
  app,
  phone,
  wizard,
}) => {
  const { page } = app;
  await wizard.toForm("With my phone");
  await wizard.give(phone.url);
  const qr = wizard.dialog.getByRole("img", { name: "QR code of Courier" });
  await expect(qr).toBeVisible();
  await expect.poll(() => qr.boundingBox()).toMatchObject({ width: 280, height: 280 });
  for (const number of [1, 2, 3]) {
    await expect(wizard.dialog.getByText(`Code ${number} of 6`)).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await wizard.scan()).toBe(phone.qrOf(number));
    }
    if (number === 3) phone.goodForMs = 1_000;
    phone.rotate();
  }

  await expect(wizard.dialog.getByText("Code 4 of 6")).toBeVisible();
  await expect(wizard.dialog.getByText("This code has expired")).toBeVisible();
  await expect(qr).toHaveAttribute("data-qr", "spent");
  expect(await wizard.scan()).toBeNull();
  // While the service is out of order nothing new comes by itself; the person's click asks at once.
  phone.failures = ["500", "html", "hang-up", "500", "500"];
  for (const failures of [2, 3, 4, 5]) {
    await expect(wizard.dialog.getByText(/^Could not ask how it goes/)).toBeVisible();
    await wizard.button("Try now").click();
    await expect(wizard.dialog.getByText(`Could not ask how it goes, ${failures} times now`)).toBeVisible();
  }
  phone.goodForMs = 60_000;
  phone.rotate();
  await wizard.button("Show a new code").click();
  await expect(wizard.dialog.getByText("Code 5 of 6")).toBeVisible();
  expect(await wizard.scan()).toBe(phone.qrOf(5));

  phone.scan();
  await expect(wizard.heading("Courier is connected")).toBeVisible();
  await expect(wizard.dialog.getByText(`Connected as ${phone.account}`)).toBeVisible();
  await expect(wizard.dialog.getByText("Running", { exact: true })).toBeVisible();
  await wizard.button("Done").click();
  await expect(app.card("Courier").getByRole("switch")).toBeChecked();
});

test("every kind of step is free of violations, in light and in dark", async ({ app, phone, wizard }) => {
  // Some twenty checks by axe.
  test.slow();
  const { page } = app;
  const { dialog } = wizard;
  const judge = (what: string) => expectNoViolationsInBoth(page, what);
  // What lies behind the dialog stays as it was.
  const judgeStep = (what: string) => expectNoViolationsInBoth(page, what, "[role=dialog]");
  const provider = await IdentityProvider.open();
  try {
    await app.card("Courier").getByRole("switch").click();
    await wizard.expectStep("menu");
    await judge("choice");
    await wizard.choose("With my phone");
    await wizard.button("Continue").click();
    await judgeStep("form with an error");
    await wizard.give("broken:hangs");
    await wizard.expectStep("progress");
    await judgeStep("progress");
    await wizard.stop();

    await wizard.toForm("With my phone");
    await wizard.give(phone.url);
    await wizard.expectStep("external");
    await judgeStep("QR code");
    phone.goodForMs = 1_000;
    phone.rotate();
    await expect(dialog.getByText("This code has expired")).toBeVisible();
    await judgeStep("expired QR code");
    await wizard.button("Can't scan? Use a link instead").click();
    await judgeStep("link");
    phone.failures = ["500", "500", "500"];
    await wizard.button("Try now").click();
    await judgeStep("link that is polled in vain");
    await page.keyboard.press("Escape");
    await judge("question");
    await page.keyboard.press("Escape");
    phone.failures = [];
    phone.refuse();
    await wizard.expectStep("error");
    await judgeStep("error");
    await wizard.button("Try again").click();

    await wizard.choose("With my account");
    await wizard.give(provider.issuer);
    await wizard.expectStep("oauth");
    await judgeStep("sign-in to open");
    const [opened] = await Promise.all([
      page.context().waitForEvent("page"),
      dialog.getByRole("link", { name: "Open the sign-in page" }).click(),
    ]);
    await opened.close();
    await expect(dialog.getByText("Waiting for your browser…").first()).toBeVisible();
    await judgeStep("sign-in that is waited for");
    await wizard.button("Use a code on another device instead").click();
    await expect(dialog.getByRole("status", { name: "Code to type" })).toBeVisible();
    await judgeStep("device");
    const { id } = await app.ask<{ id: string }>("GET", "/agents/helper/plugins/courier/setup");
    await app.ask("POST", "/agents/helper/plugins/courier/setup/cancel", { sessionId: id });
    await expect(wizard.heading("The setup of Courier is over")).toBeVisible();
    await judgeStep("ended elsewhere");
    await wizard.button("Start again").click();

    await wizard.choose("With a code");
    phone.goodForMs = 60_000;
    phone.account = "+held";
    phone.hold("checked");
    await wizard.give(phone.url);
    await wizard.expectStep("external");
    await judgeStep("code");
    phone.scan();
    await expect(wizard.heading("Saving")).toBeVisible();
    await judgeStep("saving");
    phone.hold("started");
    phone.letGo("checked");
    await expect(wizard.heading("Starting Courier")).toBeVisible();
    await judgeStep("starting");
    phone.letGo("started");
    await wizard.expectStep("done");
    await wizard.button("Send a test message").click();
    await judge("done, with a test message");
    await wizard.button("Show Courier").click();
    await page.getByRole("tab", { name: "Setup" }).click();
    await judge("setup tab");

    await page.getByRole("link", { name: "Plugins of Helper" }).click();
    await app.install(pluginFolder.weather);
    await app.card("Weather").getByRole("switch").click();
    await wizard.expectStep("settings");
    await judge("settings");
    await wizard.button("Save and switch on").click();
    await dialog.getByRole("spinbutton", { name: "Days ahead" }).fill("99");
    await wizard.button("Save and switch on").click();
    await expect(dialog.getByText("Fill this in.")).toBeVisible();
    await judgeStep("settings with errors");
  } finally {
    await provider.close();
  }
});

/** What a plugin's setup may do wrong, and what is read of it. */
const broken: [address: string, said: string | RegExp][] = [
  ["broken:throws", "The service is closed on Sundays."],
  ["broken:nonsense", /does not understand: `kind`/],
  ["broken:unsafe", /not https/],
  ["broken:exits", "The process of Courier ended in the middle of its setup."],
  ["broken:refused", "This number is blocked."],
  ["broken:hangs", /did not answer/],
];

/** The same before the first step, and how it is read. */
const brokenBeforehand: [how: string, said: RegExp][] = [
  ["throws", /The service is closed on Sundays\./],
  ["nonsense", /does not understand: `kind`/],
  ["unsafe", /not https/],
  ["exits", /The process of Courier ended/],
  ["hangs", /The setup of Courier did not answer within 3 seconds\./],
];

test("a setup that fails before its first step says so at once, as soon as it is opened", async ({
  app,
  wizard,
  traces,
}) => {
  await withLimit(app, 3_000);
  const { dialog } = wizard;
  const folder = await mkdtemp(join(tmpdir(), "patchbay-breaks-"));
  const how = join(folder, "courier-breaks");
  try {
    await app.ask("PATCH", "/agents/helper", { workspace: folder });
    await writeFile(how, "throws");
    await app.card("Courier").getByRole("switch").click();
    for (const [mode, said] of brokenBeforehand) {
      await writeFile(how, mode);
      if (mode !== "throws") await wizard.button("Try again").click();
      await expect(dialog.getByRole("alert").getByText(said).first()).toBeVisible();
      await wizard.expectStep("error");
      await expect(wizard.heading("The setup of Courier did not work")).toBeFocused();
      await expect(dialog.getByText("Nothing was saved.").first()).toBeVisible();
    }
    await rm(how);
    await wizard.button("Try again").click();
    await wizard.expectStep("menu");
    await app.page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await traces.expectNone();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function withLimit(app: App, startMs: number): Promise<void> {
  const settings = await app.ask<{ limits: Record<string, number> }>("GET", "/settings");
  await app.ask("PATCH", "/settings", { limits: { ...settings.limits, startMs } });
}

test("what goes wrong is said at its step, can be tried again and leaves nothing", async ({
  app,
  phone,
  wizard,
  traces,
}) => {
  await withLimit(app, 3_000);
  const { dialog } = wizard;
  await wizard.toForm("With my phone");
  await wizard.give(phone.url, "000000");
  await expect(dialog.getByText("That PIN is wrong. Type it once more.")).toBeVisible();
  await expect(dialog.getByLabel("Address")).toHaveValue(phone.url);
  await expect(dialog.getByLabel(/^PIN/)).toHaveValue("");
  await dialog.getByLabel("Delay").fill("soon");
  await wizard.button("Continue").click();
  await expect(dialog.getByText("Delay must be a number.")).toBeVisible();
  await dialog.getByLabel("Delay").fill("");
  for (const [address, said] of broken) {
    await wizard.give(address);
    await wizard.expectStep("error");
    await expect(dialog.getByRole("alert").getByText(said).first()).toBeVisible();
    await expect(dialog.getByText("Nothing was saved.").first()).toBeVisible();
    await wizard.button("Try again").click();
    await wizard.choose("With my phone");
  }
  await wizard.stop();
  await traces.expectNone();
  await expect(app.card("Courier").getByRole("button", { name: "Set up" })).toBeVisible();
});

test("closing it, or losing its process, at any step leaves no process, listener, file or row", async ({
  app,
  phone,
  wizard,
  traces,
}) => {
  const quiet = new Set(processesOf(app.home));
  const provider = await IdentityProvider.open();
  const listeners = () => listening(processesOf(app.home)).length;
  const quietListeners = listeners();
  interface Stage {
    way: Way;
    until: "menu" | "form" | "external" | "oauth" | "device";
    killed: boolean;
  }
  const stages: Stage[] = [
    { way: "With my phone", until: "menu", killed: true },
    { way: "With my phone", until: "form", killed: true },
    { way: "With a code", until: "external", killed: false },
    { way: "On the web", until: "external", killed: false },
    { way: "With my account", until: "oauth", killed: true },
    { way: "With my account", until: "device", killed: true },
    { way: "With my phone", until: "external", killed: true },
  ];
  const goTo = async ({ way, until }: Stage) => {
    if (until === "menu") return wizard.expectStep("menu");
    await wizard.choose(way);
    if (until === "form") return wizard.expectStep("form");
    await wizard.give(way === "With my account" ? provider.issuer : phone.url);
    if (until === "external") return wizard.expectStep("external");
    await wizard.expectStep("oauth");
    expect(listeners()).toBeGreaterThan(quietListeners);
    if (until === "oauth") return;
    await wizard.button("Use a code on another device instead").click();
    await expect(wizard.dialog.getByRole("status", { name: "Code to type" })).toBeVisible();
    expect(listeners()).toBe(quietListeners);
  };
  try {
    for (const stage of stages) {
      await app.card("Courier").getByRole("switch").click();
      await wizard.expectStep("menu");
      await goTo(stage);
      if (stage.killed) {
        for (const pid of processesOf(app.home)) if (!quiet.has(pid)) kill(pid);
        await wizard.expectStep("error");
        await expect(wizard.dialog.getByText(/process of Courier ended/).first()).toBeVisible();
        await expect.poll(listeners).toBe(quietListeners);
        await wizard.button("Try again").click();
        await wizard.expectStep("menu");
        await goTo(stage);
      }
      // Where nothing would be lost nobody is asked.
      if (stage.until === "menu") await app.page.keyboard.press("Escape");
      else await wizard.stop();
      await expect(wizard.dialog).toBeHidden();
      await traces.expectNone();
    }
  } finally {
    await provider.close();
  }
  expect([...phone.pairings.values()].map(({ status }) => status)).not.toContain("linked");
  expect(phone.latest.status).toBe("cancelled");
  await expect(app.card("Courier").getByRole("switch")).not.toBeChecked();
});

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It ended by itself.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
