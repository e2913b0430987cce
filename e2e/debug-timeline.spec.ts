import { expect, pluginFolder, test } from "./support/app.ts";

test("scratch", async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const key of ["narrower", "guard", "brittle"] as const) {
    await app.install(pluginFolder[key]);
    await app.set(key, { enabled: true });
  }
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "shell", effect: "ask" }, { tool: "brittle__*", effect: "allow" }] });
  await app.script([
    { say: "I look at what is there.", delayMs: 300, call: { tool: "shell", input: { command: "rm -rf build" } } },
    { call: { tool: "shell", input: { command: "git push --force" } }, delayMs: 100 },
    { call: { tool: "brittle__weigh", input: { letter: "large" } }, delayMs: 100 },
    { say: "Done. The secret plan worked.", delayMs: 200 },
  ]);
  await page.getByRole("link", { name: "Debug" }).click();
  await app.send("Remove the old build output and tell me what changed.");
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect(page.getByRole("log").getByText("[removed]")).toBeVisible();
  await page.screenshot({ path: "pictures/timeline-1.png" });
  const tree = page.getByRole("tree", { name: "Timeline of the turn" });
  console.log(await tree.getByRole("treeitem").allInnerTexts());
  await tree.getByRole("treeitem", { name: /tool.before · Confirm rm/ }).first().click();
  await page.screenshot({ path: "pictures/timeline-2.png" });
  await page.emulateMedia({ colorScheme: "dark" });
  await tree.getByRole("treeitem", { name: /tool.result · Brittle/ }).first().click();
  await page.screenshot({ path: "pictures/timeline-3.png" });
});
