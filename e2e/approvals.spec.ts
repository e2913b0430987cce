import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolations } from "./support/axe.ts";

/** Three calls of the shell, one a turn; Careful rewrites the first. */
async function askThreeTimes(app: App): Promise<void> {
  await app.install(pluginFolder.careful);
  await app.set("careful", { enabled: true });
  await app.script([
    { call: { tool: "shell", input: { command: "echo rm -rf build" } } },
    { say: "First done." },
    { call: { tool: "shell", input: { command: "echo two" } } },
    { say: "Second done." },
    { call: { tool: "shell", input: { command: "echo three" } } },
    { say: "Third done." },
  ]);
}

test("a call is decided on the approvals screen, and the history says what became of it", async ({ app }) => {
  const { page } = app;
  await askThreeTimes(app);
  const panel = await app.openConversation();
  await app.send("One");
  const link = page.getByRole("link", { name: /^Approvals/ });
  await expect(link).toContainText("1");
  await link.click();

  const waiting = page.getByRole("region", { name: "Waiting for you" });
  const history = page.getByRole("region", { name: /^History/ });
  await expect(history.getByText("Nothing was decided yet")).toBeVisible();
  const card = waiting.getByRole("article", { name: "Approval for shell" });
  await expect(card.getByText("echo rm -r build/old")).toBeVisible();
  await expect(card.getByText(/changed by Careful/)).toBeVisible();
  await card.getByRole("button", { name: "Allow once" }).click();
  await expect(waiting.getByText(/^Nothing waits for you/)).toBeVisible();
  await expect(panel.getByText("First done.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Send" })).toBeVisible();
  await expect(history.getByText("Allowed · once")).toBeVisible();

  await app.send("Two");
  await card.getByRole("button", { name: "Deny…" }).click();
  await card.getByRole("textbox").fill("Not on a Sunday");
  await card.getByRole("button", { name: "Deny", exact: true }).click();
  await expect(panel.getByText("Second done.")).toBeVisible();
  await expect(history.getByRole("heading", { name: /2 decisions/ })).toBeVisible();

  await history.getByRole("combobox", { name: "Outcome" }).selectOption("Denied");
  await expect(history.getByRole("heading", { name: /one decision/ })).toBeVisible();
  await history.locator("summary").click();
  await expect(history.getByText("Reason: Not on a Sunday")).toBeVisible();
  await expect(history.getByText("echo two")).toBeVisible();
  await expect(history.getByText("Nobody changed them.")).toBeVisible();
  await history.getByRole("combobox", { name: "Outcome" }).selectOption("Nobody answered");
  await history.getByRole("button", { name: "Show everything" }).click();
  await history.locator("summary").last().click();
  await expect(history.getByText("Changed by Careful")).toBeVisible();

  await page.reload();
  await expect(history.getByRole("heading", { name: /2 decisions/ })).toBeVisible();
});

test("a call is refused by keyboard alone", async ({ app }) => {
  const { page } = app;
  await askThreeTimes(app);
  await app.openConversation();
  await app.send("One");
  await expect(page.getByRole("link", { name: /^Approvals/ })).toContainText("1");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("approvals");
  await page.keyboard.press("Enter");
  const waiting = page.getByRole("region", { name: "Waiting for you" });
  const deny = waiting.getByRole("button", { name: "Deny…" });
  await expect(deny).toBeVisible();
  for (let presses = 0; presses < 40; presses += 1) {
    if (await deny.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(deny).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("No");
  await page.keyboard.press("Enter");
  await expect(
    page
      .getByRole("region", { name: /^History/ })
      .locator("summary")
      .getByText("Denied"),
  ).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });
    test("axe finds nothing on the approvals", async ({ app }) => {
      const { page } = app;
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await askThreeTimes(app);
      await page.getByRole("link", { name: /^Approvals/ }).click();
      await expect(page.getByText("Nothing was decided yet")).toBeVisible();
      await expectNoViolations(page, "no approvals");
      await app.openConversation();
      await app.send("One");
      await page.getByRole("main").getByRole("button", { name: "Allow once" }).click();
      await expect(page.getByText("First done.")).toBeVisible();
      await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
      await app.send("Two");
      await expect(page.getByRole("main").getByRole("button", { name: "Allow once" })).toBeVisible();
      await page.locator("summary").first().click();
      await expectNoViolations(page, "approvals");
    });
  });
}
