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
  await expectNoViolationsInBoth(page, "the timeline");
});
