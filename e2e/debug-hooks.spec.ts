import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { write } from "./support/editor.ts";

async function prepare(app: App): Promise<void> {
  for (const key of ["forge", "nudge", "careful"] as const) {
    await app.install(pluginFolder[key]);
    await app.set(key, { enabled: true });
  }
}

test("the hooks of an agent stand in their order, with counts that grow with each turn", async ({ app }) => {
  const { page } = app;
  await prepare(app);
  await app.script([
    { call: { tool: "forge__build", input: { label: "by the model", jobs: 8 } } },
    { say: "Done." },
  ]);
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "forge__*", effect: "allow" }] });
  await app.goTo("/agents/helper/debug/hooks");
  await expect(page.getByRole("tab", { name: "Hooks 5" })).toBeVisible();
  const before = page.getByRole("region", { name: "tool.before", exact: true });
  const rows = before.getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("Nudge");
  await expect(rows.nth(1)).toContainText("20");
  await expect(rows.nth(1)).toContainText("blocks");
  await expect(rows.nth(1)).toContainText("1.50 s");
  await expect(rows.nth(2)).toContainText("Careful");
  await expect(rows.nth(2)).toContainText("100");
  await expect(rows.nth(1).getByRole("cell").nth(5)).toHaveText("0");

  await app.send("Build it");
  await expect(page.getByRole("log").getByText("Done.")).toBeVisible();
  await expect(rows.nth(1).getByRole("cell").nth(5)).toHaveText("1");
  await expect(rows.nth(1).getByRole("cell").nth(7)).toContainText("ms");
});

test("an event is fired by hand, and each plugin's part in it is shown", async ({ app }) => {
  const { page } = app;
  await prepare(app);
  await app.goTo("/agents/helper/debug/hooks");
  const panel = page.getByRole("region", { name: "Fire an event by hand" });
  await page
    .getByRole("region", { name: "tool.before", exact: true })
    .getByRole("button", { name: "Fire…" })
    .click();
  await expect(panel.getByLabel("Event")).toHaveValue("tool.before@v1");
  await expect(panel).toContainText("The plugins really run, and may do things");

  // The example is what Careful looks for.
  await panel.getByRole("button", { name: "Fire", exact: true }).click();
  const result = panel.getByRole("region", { name: "What became of the event" });
  const careful = result.getByRole("article", { name: "Careful at tool.before" });
  await expect(careful).toContainText("changed the arguments");
  await expect(careful.locator("del")).toContainText('"rm -rf build"');
  await expect(careful.locator("ins")).toContainText('"rm -r build/old"');
  await expectNoViolationsInBoth(page, "an event fired by hand");

  // A real tool with its own arguments, and what the plugin wrote.
  await panel.getByLabel("Tool", { exact: true }).selectOption("forge__build");
  await expect(panel.getByRole("textbox", { name: "What the plugins are shown" })).toContainText('"jobs": 2');
  await panel.getByRole("button", { name: "Fire", exact: true }).click();
  const nudge = result.getByRole("article", { name: "Nudge at tool.before" });
  await expect(nudge).toContainText("jobs 2 became 1");
  await expect(nudge.locator("ins")).toContainText("1");

  // Denied by whom, and why.
  const editor = panel.getByRole("textbox", { name: "What the plugins are shown" });
  await write(editor, '{"toolName": "shell", "args": {"command": "say forbidden"}}');
  await panel.getByRole("button", { name: "Fire", exact: true }).click();
  await expect(result.getByRole("status")).toContainText("Careful ended it: That word is not allowed here.");

  // Text that is no JSON is named at its line, and nothing is fired.
  await write(editor, '{"toolName": "shell",\n  oops}');
  await expect(panel.getByText("Line 2: This is no JSON from here on.")).toBeVisible();
  await panel.getByRole("button", { name: "Fire", exact: true }).click();
  await expect(result.getByRole("status")).toContainText("Careful ended it");
});

test("a hook that fails and must not is a sentence, with what was done until then", async ({ app }) => {
  const { page } = app;
  await prepare(app);
  await app.goTo("/agents/helper/debug/hooks");
  const panel = page.getByRole("region", { name: "Fire an event by hand" });
  await panel.getByLabel("Event").selectOption("session.message.received@v1");
  const editor = panel.getByRole("textbox", { name: "What the plugins are shown" });
  await write(editor, '{"text": "explode"}');
  await panel.getByRole("button", { name: "Fire", exact: true }).click();
  await expect(panel.getByRole("alert")).toContainText("I do not like that word");
  await expect(panel.getByRole("article", { name: "Nudge at session.message.received" })).toContainText(
    "failed",
  );
});

test("slash commands run with arguments, in the open conversation or in none", async ({ app }) => {
  const { page } = app;
  await prepare(app);
  await app.script([{ say: "Hello." }]);
  await app.goTo("/agents/helper/debug/commands");
  await expect(page.getByRole("tab", { name: /^Commands \d+$/ })).toBeVisible();
  const list = page.getByRole("list", { name: "Slash commands" });
  await list.getByRole("button", { name: "/heat" }).click();
  await list.getByLabel("Arguments").fill("900");
  await list.getByRole("button", { name: "Run /heat" }).click();
  await expect(list.getByRole("region", { name: "What it answered" })).toContainText(
    "The forge has 900 degrees.",
  );
  await expectNoViolationsInBoth(page, "a slash command");
  await list.getByLabel("Arguments").fill("very");
  await list.getByRole("button", { name: "Run /heat" }).click();
  await expect(list.getByRole("alert")).toContainText("Say how hot, in degrees");

  await app.send("Hello");
  await expect(page.getByRole("log").getByText("Hello.", { exact: true })).toBeVisible();
  await list.getByLabel("Arguments").fill("700");
  await list.getByRole("button", { name: "Run /heat" }).click();
  await expect(page.getByRole("log")).toContainText("The forge has 700 degrees.");
});
