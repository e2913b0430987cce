import { expectNoViolations } from "../support/axe.ts";
import { expect, test } from "../support/courier.ts";
import { processesOf } from "../support/traces.ts";
import type { Way } from "../support/wizard.ts";

test("every kind of step is free of violations, in light and in dark", async ({ app, phone, wizard }) => {
  test.setTimeout(120_000);
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
  const stages: [way: Way, until: string][] = [
    ["With my phone", "menu"],
    ["With my phone", "form"],
    ["With my phone", "external"],
    ["With a code", "external"],
    ["On the web", "external"],
  ];
  const goTo = async ([way, until]: [Way, string]) => {
    if (until !== "menu") await wizard.choose(way);
    if (until === "external") await wizard.give(phone.url);
    await wizard.expectStep(until);
  };
  for (const stage of stages) {
    await app.card("Courier").getByRole("switch").click();
    await wizard.expectStep("menu");
    await goTo(stage);
    const host = processesOf(app.home).filter((pid) => !quiet.has(pid));
    for (const pid of host) kill(pid);
    await wizard.expectStep("error");
    await expect(wizard.dialog.getByText(/process of Courier ended/).first()).toBeVisible();
    await wizard.button("Try again").click();
    await wizard.expectStep("menu");
    await goTo(stage);
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
