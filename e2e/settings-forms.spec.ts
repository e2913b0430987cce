import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { write } from "./support/editor.ts";

interface Stored {
  config: { tools?: Record<string, unknown> };
}

test.beforeEach(async ({ app }) => {
  await app.install(pluginFolder.everyField);
});

async function storedTools(app: App): Promise<Record<string, unknown>> {
  return (await app.ask<Stored>("GET", "/agents/helper/plugins/every-field")).config.tools ?? {};
}

async function save(app: App): Promise<void> {
  await app.page.getByRole("button", { name: "Save settings" }).click();
  await expect(app.page.getByText("Saved and in use.")).toBeVisible();
}

function fail(app: App): Promise<unknown> {
  return app.ask("POST", "/agents/helper/tools/every__fail/call", { yes: true });
}

test("a setting of every kind is shown with its default and saved as it is set", async ({ app }) => {
  const { page } = app;
  await app.openPlugin("Every field", "Settings");
  const timeout = page.getByRole("spinbutton", { name: "Time-out" });
  await expect(timeout).toHaveValue("30");
  await expect(page.getByRole("combobox", { name: "Unit of Time-out" })).toHaveValue("s");
  await expect(page.getByRole("spinbutton", { name: "Interval" })).toHaveValue("5");
  await expect(page.getByRole("combobox", { name: "Unit of Interval" })).toHaveValue("min");
  await expect(page.getByText("°C", { exact: true })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Host" })).toHaveValue("localhost");
  await expect(page.getByText("Said at the beginning.")).toBeVisible();

  await page.getByRole("combobox", { name: "Unit of Time-out" }).selectOption("min");
  await timeout.fill("2");
  await page.getByRole("spinbutton", { name: "Interval" }).fill("7");
  await page.getByRole("textbox", { name: "Greeting" }).fill("Good\nmorning");
  await page.getByRole("spinbutton", { name: "Threshold" }).fill("21.5");
  await page.getByRole("textbox", { name: "Word list" }).fill("/srv/words.txt");
  await page.getByRole("textbox", { name: "Working folder" }).fill("/srv/work");
  await page.getByRole("textbox", { name: "Address", exact: true }).fill("https://example.org/a");
  await page.getByLabel("First day").fill("2026-12-01");
  await page.getByRole("textbox", { name: "Host" }).fill("mail.example.org");
  await page.getByRole("combobox", { name: "Unit of Each" }).selectOption("d");
  await save(app);
  expect(await storedTools(app)).toMatchObject({
    timeout: "PT2M",
    interval: 420_000,
    greeting: "Good\nmorning",
    threshold: 21.5,
    file: "/srv/words.txt",
    folder: "/srv/work",
    address: "https://example.org/a",
    day: "2026-12-01",
    server: { host: "mail.example.org", limit: { each: "P1D" } },
  });
});

test("a wrong address is refused at its field", async ({ app }) => {
  const { page } = app;
  await app.openPlugin("Every field", "Settings");
  const address = page.getByRole("textbox", { name: "Address", exact: true });
  await address.fill("nowhere at all");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(address).toHaveAttribute("aria-invalid", "true");
  expect(await storedTools(app)).toEqual({});
});

test("what applies to another value only is hidden, also within groups and lists", async ({ app }) => {
  const { page } = app;
  await app.openPlugin("Every field", "Settings");
  const port = page.getByRole("spinbutton", { name: "Port to listen on" });
  await expect(page.getByRole("combobox", { name: "Mode" })).toBeVisible();
  await expect(port).toBeHidden();
  await page.getByRole("combobox", { name: "Mode" }).selectOption({ label: "push" });
  await expect(port).toHaveValue("8080");

  await expect(page.getByRole("textbox", { name: "Certificate" })).toBeVisible();
  await page.getByRole("switch", { name: "Encrypted" }).click();
  await expect(page.getByRole("textbox", { name: "Certificate" })).toBeHidden();

  await page.getByRole("group", { name: "Rules" }).getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("combobox", { name: "When" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Word", exact: true })).toBeHidden();
  await page.getByRole("combobox", { name: "When" }).selectOption({ label: "word" });
  await expect(page.getByRole("textbox", { name: "Word", exact: true })).toBeVisible();
});

test("one of several kinds is chosen plainly, by keyboard", async ({ app }) => {
  const { page } = app;
  await app.openPlugin("Every field", "Settings");
  const kinds = page.getByRole("radiogroup", { name: "Kind of Where to send" });
  await expect(kinds.getByRole("radio", { name: "Nowhere" })).toBeChecked();
  await kinds.getByRole("radio", { name: "Nowhere" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(kinds.getByRole("radio", { name: "By mail" })).toBeChecked();
  await page.getByRole("textbox", { name: "Mail address" }).fill("a@example.com");
  await save(app);
  expect(await storedTools(app)).toMatchObject({ target: { kind: "mail", to: "a@example.com" } });

  await kinds.getByRole("radio", { name: "Web hook" }).check();
  await expect(page.getByRole("textbox", { name: "Mail address" })).toBeHidden();
  await page.getByRole("textbox", { name: "Hook address" }).fill("https://example.com/hook");
  await save(app);
  expect(await storedTools(app)).toMatchObject({
    target: { kind: "web_hook", url: "https://example.com/hook" },
  });
});

test("what saving changes is listed before it is saved, secrets only by name", async ({ app }) => {
  const { page } = app;
  await app.openPlugin("Every field", "Settings");
  const list = page.getByRole("region", { name: "What changes when you save" });
  await expect(list).toBeHidden();
  await page.getByRole("textbox", { name: "Host" }).fill("far.example.org");
  await page.getByLabel("Token").fill("tk-very-secret");
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(list).toContainText("Server › Host");
  await expect(list.locator("del")).toHaveText("localhost");
  await expect(list).toContainText("far.example.org");
  await expect(list.getByRole("listitem").filter({ hasText: "Token" })).toContainText("will be stored");
  await expect(list).not.toContainText("tk-very-secret");
  await save(app);
  await expect(list).toBeHidden();
  await page.getByRole("button", { name: "Replace" }).click();
  await page.getByLabel("Token").fill("tk-other");
  await expect(list.getByRole("listitem")).toHaveText([/Token\s*replaced/]);
});

test("the JSON view has the same value, and what the form cannot show survives both views", async ({
  app,
}) => {
  const { page } = app;
  await app.set("every-field", { config: { tools: { name: "Bo", extra: { deep: [1, { x: null }] } } } });
  await app.openPlugin("Every field", "Settings");
  await page.getByRole("textbox", { name: "Host" }).fill("here");
  await page.getByRole("radio", { name: "JSON" }).check();
  const editor = page.getByRole("textbox", { name: "Settings as JSON" });
  await expect(editor).toContainText('"host": "here"');
  await expect(editor).toContainText('"extra"');

  const config = { tools: { name: "Cy", extra: { deep: [2] }, server: { host: "there" } } };
  await write(editor, JSON.stringify(config, null, 2));
  await page.getByRole("radio", { name: "Simple" }).check();
  await expect(page.getByRole("textbox", { name: "Host" })).toHaveValue("there");
  await page.locator("#setting_name").fill("Di");
  await save(app);
  expect(await storedTools(app)).toMatchObject({
    name: "Di",
    extra: { deep: [2] },
    server: { host: "there" },
  });
});

test("in JSON, what is wrong is told at its line, and broken text is kept until it is mended", async ({
  app,
}) => {
  const { page } = app;
  await app.openPlugin("Every field", "Settings");
  await page.getByRole("radio", { name: "JSON" }).check();
  const editor = page.getByRole("textbox", { name: "Settings as JSON" });
  await write(editor, '{\n  "tools": {\n    "name": "B",\n    "mode": "push"\n  }\n}');
  await expect(page.getByText("Line 3: At least 2 characters.")).toBeVisible();
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(editor).toBeFocused();
  expect(await storedTools(app)).toEqual({});

  await write(editor, '{\n  "tools": {\n    "name": Bert\n  }\n}');
  await expect(page.getByText("Line 3: This is no JSON from here on.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save settings" })).toBeDisabled();
  await page.getByText("Simple", { exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("nothing is lost");
  await page.getByRole("tab", { name: "Overview" }).click();
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(editor).toContainText("Bert");
  await write(editor, '{\n  "tools": {\n    "name": "Bert"\n  }\n}');
  await save(app);
  expect(await storedTools(app)).toEqual({ name: "Bert" });
});

test("the page tells how it goes: trends, errors so far, times of calls", async ({ app }) => {
  const { page } = app;
  await app.set("every-field", { enabled: true });
  await app.openPlugin("Every field", "Activity");
  for (const lines of [3, 9, 5]) {
    await app.ask("POST", "/agents/helper/tools/every__write/call", { input: { lines }, yes: true });
    await expect(page.locator('[data-value="written"]')).toContainText(String(lines));
  }
  await expect(page.getByRole("img", { name: /^between 3 and 9/ })).toBeVisible();
  await expect(page.getByText("Typical call (p50)")).toBeVisible();
  await expect(page.getByText("3, 0 failed")).toBeVisible();
  for (let time = 0; time < 2; time += 1) await expect(fail(app)).rejects.toThrow("The cable is cut");
  const errors = page.locator("section", { has: page.getByRole("heading", { name: "Errors so far" }) });
  await expect(errors.getByRole("listitem").filter({ hasText: "The cable is cut" }).first()).toContainText(
    "2 times",
  );
});

test("ten thousand lines of log are drawn in part, and can be filtered, held and followed", async ({
  app,
}) => {
  test.setTimeout(120_000);
  const { page } = app;
  await app.set("every-field", { enabled: true });
  await app.openPlugin("Every field", "Activity");
  const write = (lines: number) =>
    app.ask("POST", "/agents/helper/tools/every__write/call", { input: { lines }, yes: true });
  const log = page.getByRole("log");
  // The core keeps so much of a log a second, so it takes a few portions to fill it.
  const kept = async () => {
    await write(1_000);
    const entries = await app.ask<unknown[]>("GET", "/agents/helper/plugins/every-field/logs?limit=10000");
    return entries.length;
  };
  await expect.poll(kept, { timeout: 60_000, intervals: [300] }).toBe(10_000);
  await expect(async () => {
    await write(7);
    await expect(log.getByText("line 7 of 7").last()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(await log.locator("[data-index]").count()).toBeLessThan(120);

  await page.getByRole("searchbox", { name: "Find in the log" }).fill("line 777 of 1000");
  await expect(log.getByText("line 777 of 1000").first()).toBeVisible();
  await page.getByRole("searchbox", { name: "Find in the log" }).fill("");
  await expect(log.getByText("line 7 of 7").last()).toBeVisible();

  // A full log goes on being followed, as the last line is another one.
  await log.press("Home");
  await page.getByRole("button", { name: "Go to the end" }).click();
  await write(20);
  await expect(log.getByText("line 20 of 20")).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await write(30);
  await expect(page.getByRole("button", { name: "Go on (30 new)" })).toBeVisible();
  await expect(log.getByText("line 30 of 30")).toBeHidden();
  await page.getByRole("button", { name: "Go on (30 new)" }).click();
  await expect(log.getByText("line 30 of 30")).toBeVisible();
});

test("axe finds nothing on forms, JSON and live panels, in light or in dark", async ({ app }) => {
  const { page } = app;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await app.set("every-field", { enabled: true });
  await app.openPlugin("Every field", "Settings");
  await page.getByRole("radio", { name: "By mail" }).check();
  await page.getByRole("spinbutton", { name: "Interval" }).fill("0");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("At least 1 second.", { exact: true })).toBeVisible();
  await expectNoViolationsInBoth(app.page, "form");
  await page.getByRole("radio", { name: "JSON" }).check();
  await expect(page.getByText(/^Line \d+: At least 1000/)).toBeVisible();
  await expectNoViolationsInBoth(app.page, "json");
  await page.getByRole("tab", { name: "Activity" }).click();
  for (const lines of [3, 9]) {
    await app.ask("POST", "/agents/helper/tools/every__write/call", { input: { lines }, yes: true });
    await expect(page.locator('[data-value="written"]')).toContainText(String(lines));
  }
  await expect(fail(app)).rejects.toThrow("The cable is cut");
  await expect(page.getByRole("img", { name: /^between 3 and 9/ })).toBeVisible();
  await expectNoViolationsInBoth(app.page, "activity");
});
