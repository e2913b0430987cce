import { expectNoViolations } from "../support/axe.ts";
import { expect, test } from "../support/courier.ts";
import { processesOf } from "../support/traces.ts";
import type { Way } from "../support/wizard.ts";

/** They go through the setup many times. */
test.describe.configure({ timeout: 150_000 });

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
  expect(await qr.boundingBox()).toMatchObject({ width: 280, height: 280 });
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
  const { page } = app;
  const judge = async (what: string) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expectNoViolations(page, `${what}, ${colorScheme}`);
    }
  };
  await app.card("Courier").getByRole("switch").click();
  await wizard.expectStep("menu");
  await judge("menu");
  await wizard.choose("With my phone");
  await wizard.button("Continue").click();
  await judge("form with an error");
  phone.goodForMs = 1_000;
  await wizard.give(phone.url);
  await expect(wizard.dialog.getByText("This code has expired")).toBeVisible();
  await judge("expired QR code");
  await wizard.button("Can't scan? Use a link instead").click();
  phone.failures = ["500", "500", "500"];
  await wizard.button("Try now").click();
  await judge("link that is polled in vain");
  await page.keyboard.press("Escape");
  await judge("question");
  await page.keyboard.press("Escape");
  phone.failures = [];
  phone.refuse();
  await wizard.expectStep("error");
  await judge("error");
  await wizard.button("Try again").click();
  await wizard.choose("With a code");
  phone.goodForMs = 60_000;
  await wizard.give(phone.url);
  await judge("code");
  phone.scan();
  await wizard.expectStep("done");
  await judge("done");
  await wizard.button("Show Courier").click();
  await page.getByRole("tab", { name: "Setup" }).click();
  await judge("setup tab");
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

test("what goes wrong is said at its step, can be tried again and leaves nothing", async ({
  app,
  phone,
  wizard,
  traces,
}) => {
  const settings = await app.ask<{ limits: Record<string, number> }>("GET", "/settings");
  await app.ask("PATCH", "/settings", { limits: { ...settings.limits, startMs: 3_000 } });
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
  const stages: [way: Way, until: string, killed: boolean][] = [
    ["With my phone", "menu", true],
    ["With my phone", "form", true],
    ["With my phone", "external", true],
    ["With a code", "external", false],
    ["On the web", "external", false],
  ];
  const goTo = async ([way, until]: (typeof stages)[number]) => {
    if (until !== "menu") await wizard.choose(way);
    if (until === "external") await wizard.give(phone.url);
    await wizard.expectStep(until);
  };
  for (const stage of stages) {
    await app.card("Courier").getByRole("switch").click();
    await wizard.expectStep("menu");
    await goTo(stage);
    if (stage[2]) {
      for (const pid of processesOf(app.home)) if (!quiet.has(pid)) kill(pid);
      await wizard.expectStep("error");
      await expect(wizard.dialog.getByText(/process of Courier ended/).first()).toBeVisible();
      await wizard.button("Try again").click();
      await wizard.expectStep("menu");
      await goTo(stage);
    }
    await wizard.stop();
    await traces.expectNone();
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
