import type { Page } from "@playwright/test";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

/** A turn with a plugin that rewrites, one that blocks and one that fails. */
async function runTurn(app: App): Promise<void> {
  const { page } = app;
  for (const key of ["narrower", "guard", "brittle"] as const) {
    await app.install(pluginFolder[key]);
    await app.set(key, { enabled: true });
  }
  await app.ask("PATCH", "/agents/helper", {
    policy: [
      { tool: "shell", effect: "ask" },
      { tool: "brittle__weigh", effect: "allow" },
    ],
  });
  await app.script([
    { say: "I look.", delayMs: 200, call: { tool: "shell", input: { command: "rm -rf build" } } },
    { call: { tool: "shell", input: { command: "git push --force" } } },
    { call: { tool: "brittle__weigh", input: { letter: "large" } } },
    { say: "Done. The secret plan worked.", delayMs: 100 },
  ]);
  await page.getByRole("link", { name: "Debug" }).click();
  await app.send("Remove the old build output.");
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect(page.getByRole("log").getByText("Done. The [removed] worked.")).toBeVisible();
}

const treeOf = (page: Page) => page.getByRole("tree", { name: "Timeline of the turn" });

/** Each row as it is read: how deep it stands, what it says, and how it ended. */
function rowsOf(page: Page): Promise<string[]> {
  return treeOf(page).evaluate((tree) =>
    [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")].map((row) => {
      const depth = "  ".repeat(Number(row.ariaLevel) - 1);
      const name = row.querySelector("[data-part=name]")?.textContent ?? "";
      const state = row.querySelector("[data-part=state]")?.textContent ?? "";
      return `${depth}${name}${state === "" ? "" : ` | ${state}`}`;
    }),
  );
}

test("a turn with a plugin that rewrites, one that blocks and one that fails is told row by row", async ({
  app,
}) => {
  const { page } = app;
  await page.setViewportSize({ width: 1440, height: 1500 });
  await runTurn(app);
  await expect(page.getByRole("tab", { name: "Timeline", selected: true })).toBeVisible();
  await expect
    .poll(() => rowsOf(page))
    .toEqual([
      "Message",
      "System prompt",
      "Model call",
      "  message.final · Confirm rm",
      "  Answer",
      "shell",
      "  Rules · ask you",
      "  tool.before · Guard",
      "  tool.before · Confirm rm | changed something",
      "    narrowed rm -rf build to build/old · Confirm rm",
      "  tool.before · Guard",
      "  Approval · you",
      "  The tool itself · built in",
      "  rm -r build/old",
      "  tool.result · Brittle | failed",
      expect.stringMatching(/^ {4}A hook failed: TypeError: .* · Brittle$/),
      "    Error · Brittle | failed",
      "Model call",
      "shell | said no",
      "  Rules · ask you",
      "  tool.before · Guard | said no",
      "    blocked a push with force · Guard",
      "Model call",
      "brittle.weigh | failed",
      "  Rules · allowed",
      "  tool.before · Guard",
      "  tool.before · Confirm rm",
      "  The tool itself · Brittle | failed",
      expect.stringMatching(/^ {2}The tool weigh failed: TypeError: .* · Brittle$/),
      "  tool.result · Brittle | failed",
      expect.stringMatching(/^ {4}A hook failed: TypeError: .* · Brittle$/),
      "    Error · Brittle | failed",
      "Model call",
      "  message.final · Confirm rm | changed something",
      "    took the secret plan out of the answer · Confirm rm",
      "  Answer | changed something",
    ]);
  await treeOf(page)
    .getByRole("treeitem", { name: /^tool.before · Confirm rm/ })
    .first()
    .click();
  await expect(page.getByRole("region", { name: /^What happened: / })).toBeVisible();
  await expectNoViolationsInBoth(page, "the timeline with a card");
  await page.setViewportSize({ width: 1280, height: 800 });
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(page.getByRole("tree", { name: "Zeitleiste des Durchgangs" })).toBeVisible();
});

test("the timeline is followed live, gone through by keys, narrowed and zoomed", async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 1440, height: 900 });
  await runTurn(app);
  const tree = treeOf(page);
  const card = page.getByRole("region", { name: /^What happened: / });
  const chosen = tree.locator("[aria-selected=true] [data-part=name]");

  await page.getByRole("button", { name: /^Problems/ }).click();
  await expect.poll(async () => (await rowsOf(page)).filter((row) => !row.includes("|"))).toEqual(["shell"]);
  await page.getByRole("button", { name: /^Problems/ }).click();
  await page.getByRole("combobox", { name: "Plugin" }).selectOption("Guard");
  await expect.poll(async () => (await rowsOf(page)).filter((row) => row.includes("Brittle"))).toEqual([]);
  await page.getByRole("combobox", { name: "Plugin" }).selectOption("All plugins");
  await page.getByRole("searchbox", { name: "Find in the timeline" }).fill("push with");
  await expect
    .poll(() => rowsOf(page))
    .toEqual(["shell | said no", "  tool.before · Guard | said no", "    blocked a push with force · Guard"]);

  await tree.getByRole("treeitem").first().click();
  await expect(card).toContainText("The agent called shell, and it was blocked");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(chosen).toHaveText("blocked a push with force · Guard");
  await expect(card).toContainText("Guard wrote this into its log.");
  await page.keyboard.press("ArrowLeft");
  await expect(card).toContainText("Guard blocked the call of shell.");
  await card.getByText("JSON of its events").click();
  await expect(card.getByRole("tree", { name: /^Event / })).toHaveCount(2);
  await page.getByRole("button", { name: "Clear" }).click();

  await tree.getByRole("treeitem", { selected: true }).focus();
  await page.keyboard.press("Home");
  await expect(chosen).toHaveText("Message");
  await page.keyboard.press("End");
  await expect(chosen).toHaveText("Answer");
  await expect(tree.getByRole("treeitem", { selected: true })).toBeFocused();
  const all = page.getByRole("button", { name: "Show the whole turn" });
  await expect(all).toBeDisabled();
  await page.keyboard.press("+");
  await expect(all).toBeEnabled();
  await page.keyboard.press("0");
  await expect(all).toBeDisabled();

  await app.script([
    ...Array.from({ length: 4 }, () => ({ say: "Before." })),
    { call: { tool: "shell", input: { command: "echo live" } } },
    { say: "It is over." },
  ]);
  await app.send("And now live");
  await expect(page.getByRole("combobox", { name: "Turn" }).locator("option:checked")).toContainText(
    "And now live",
  );
  const waiting = tree.getByRole("treeitem", { name: /^Approval · you/ });
  await expect(waiting.locator("[data-part=state]")).toHaveText("running");
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect(page.getByRole("log").getByText("It is over.")).toBeVisible();
  await expect(waiting.locator("[data-part=state]")).toHaveCount(0);
  await waiting.click();
  await expect(card).toContainText("You allowed shell once.");
  await tree
    .getByRole("treeitem", { name: /^Model call/ })
    .first()
    .click();
  await card.getByRole("link", { name: "Show what it was sent" }).click();
  await expect(page.getByRole("tab", { name: "Context", selected: true })).toBeVisible();
});

test("a row says what the person was asked meanwhile, and what they answered", async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 1440, height: 900 });
  await app.install(pluginFolder.asking);
  await app.set("asking", { enabled: true });
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "shell", effect: "allow" }] });
  await app.script([{ call: { tool: "shell", input: { command: "rm -rf build" } } }, { say: "Done." }]);
  await page.getByRole("link", { name: "Debug" }).click();
  await app.send("Remove the build folder");
  await page.getByRole("log").getByRole("radio", { name: "Only build/old" }).check();
  await page.getByRole("log").getByRole("button", { name: "Answer", exact: true }).click();
  await expect(page.getByRole("log").getByText("Done.")).toBeVisible();
  await treeOf(page)
    .getByRole("treeitem", { name: /^tool.before · Asking/ })
    .click();
  const card = page.getByRole("region", { name: /^What happened: / });
  await expect(card).toContainText("Asking changed the arguments of shell.");
  await expect(card).toContainText("asked: “Run rm -rf build?” → Only build/old");
});
