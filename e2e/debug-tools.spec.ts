import type { Page } from "@playwright/test";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { write } from "./support/editor.ts";
import { look } from "./support/look.ts";

/** Two real plugins: Forge has the tools, Nudge changes their calls. */
async function prepare(app: App): Promise<void> {
  for (const key of ["forge", "nudge"] as const) {
    await app.install(pluginFolder[key]);
    await app.set(key, { enabled: true });
  }
  await app.goTo("/agents/helper/debug/tools");
}

async function choose(page: Page, title: string) {
  await page
    .getByRole("navigation", { name: "Tools of the agent" })
    .getByRole("button", { name: title })
    .click();
  return page.getByRole("article", { name: title });
}

const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true });

test("a tool is called from a form of its schema, through the whole pipeline and straight", async ({
  app,
}) => {
  const { page } = app;
  await prepare(app);
  await expect(page.getByRole("tab", { name: /^Tools \d+$/ })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search tools" }).fill("builds target");
  const tool = await choose(page, "forge.build");

  // What the schema has defaults for is filled in, and what does not fit is said at the field.
  await expect(tool.getByLabel("Jobs")).toHaveValue("2");
  await run(page).click();
  await expect(tool.getByText("Fill this in.")).toBeVisible();
  await tool.getByLabel("Label").fill("first");
  await tool.getByLabel("Jobs").fill("4");
  await run(page).click();

  // It asks, and the question stands here.
  const question = tool
    .getByRole("article", { name: /forge\.build/ })
    .or(tool.getByRole("region", { name: /forge\.build/ }));
  await expect(question.first()).toContainText("4");
  await tool.getByRole("button", { name: /^Allow once$/ }).click();
  const result = tool.getByRole("region", { name: "Result", exact: true });
  await expect(result).toContainText("Carefully built app as first with 1 jobs.");
  const tree = result.getByRole("tree");
  await expect(tree.getByRole("treeitem").filter({ hasText: "out/app/index.js" }).last()).toBeVisible();
  const steps = tool.getByRole("list", { name: "Steps of the call" });
  const nudge = steps.getByRole("article", { name: "Nudge at tool.before" });
  await expect(nudge).toContainText("changed the arguments");
  await expect(nudge.locator("del")).toContainText("4");
  await expect(nudge.locator("ins")).toContainText("1");
  await expect(steps).toContainText("you allowed it");
  await expect(steps.getByRole("article", { name: "Nudge at tool.result" })).toContainText("changed it");
  await expectNoViolationsInBoth(page, "a call of a tool");

  await tool.getByText("Straight", { exact: true }).click();
  await expect(tool).toContainText("Pressing the button is your approval.");
  await run(page).click();
  await expect(result).toContainText("Built app as first with 4 jobs.");
  await expect(steps).toContainText("left out, because it was called straight");
  await expect(steps).toContainText("given by pressing the button");
  await expect(steps.getByRole("article")).toHaveCount(0);

  // The tree is walked by keys, and says where each line lies.
  await tree.focus();
  await page.keyboard.press("End");
  await expect(result).toContainText("$.files[1].bytes");

  const history = page.getByRole("region", { name: "Called here" });
  await expect(history.getByRole("listitem")).toHaveCount(2);
  await tool.getByLabel("Label").fill("changed meanwhile");
  await history.getByRole("button", { name: "Use again" }).last().click();
  await expect(tool.getByLabel("Label")).toHaveValue("first");
  await expect(tool.getByLabel("Jobs")).toHaveValue("4");

  // Both calls belong to no turn: they stand in a list of their own, each on a timeline.
  await page.getByRole("tab", { name: "Calls" }).click();
  const calls = page.getByRole("region", { name: "Calls outside of turns" }).getByRole("button");
  await expect(calls).toHaveText([/forge\.build.*by you · Straight.*done/, /forge\.build.*by you.*done/]);
  const rows = page.getByRole("tree", { name: "Timeline of the turn" }).getByRole("treeitem");
  await expect(rows.filter({ hasText: "tool.before" })).toHaveCount(0);
  await calls.last().click();
  await expect(rows.filter({ hasText: /tool\.before.*Nudge/ })).toHaveCount(1);
  await rows.first().click();
  await expect(page.getByRole("region", { name: /^What happened/ })).toContainText(
    "forge.build was called by you, and it worked.",
  );
  await look(page, "calls");
  await expectNoViolationsInBoth(page, "calls outside of turns");
});

test("arguments are typed as JSON too, and what is wrong there is named at its line", async ({ app }) => {
  const { page } = app;
  await prepare(app);
  const tool = await choose(page, "forge.build");
  await tool.getByText("JSON", { exact: true }).click();
  const editor = tool.getByRole("textbox", { name: "Arguments as JSON" });
  await write(editor, '{\n  "target": "app",\n  "label": "x"\n}');
  await expect(tool.getByText(/^Line 3: /)).toBeVisible();
  await run(page).click();
  await expect(tool.getByRole("list", { name: "Steps of the call" })).toBeHidden();
  await write(editor, '{\n  "target": "docs",\n  "label": "second"\n}');
  await tool.getByText("Form", { exact: true }).click();
  await expect(tool.getByLabel("Label")).toHaveValue("second");
});

test("a failure is a sentence, a picture is a picture, and a slow tool tells how far it is and is stopped", async ({
  app,
}) => {
  const { page } = app;
  await prepare(app);
  const cracked = await choose(page, "forge.crack");
  await cracked.getByText("Straight", { exact: true }).click();
  await run(page).click();
  await expect(cracked.getByRole("alert")).toContainText("The anvil has a crack.");

  const drawn = await choose(page, "forge.draw");
  await drawn.getByText("Straight", { exact: true }).click();
  await run(page).click();
  await expect(drawn.getByRole("img", { name: "Picture that the tool returned" })).toBeVisible();

  const slow = await choose(page, "forge.smelt");
  await slow.getByText("Straight", { exact: true }).click();
  await run(page).click();
  await expect(slow.getByRole("region", { name: "What it tells meanwhile" })).toContainText("% molten");
  await slow.getByRole("button", { name: "Stop" }).first().click();
  await expect(run(page)).toBeEnabled();
  await expectCalls(app, 3);
  await expect(page.getByRole("region", { name: "Called here" }).getByRole("listitem").first()).toContainText(
    "stopped",
  );
});

test("the same call is made many times, with its figures; one that asks never becomes many questions", async ({
  app,
}) => {
  const { page } = app;
  await prepare(app);
  const tool = await choose(page, "forge.build");
  await tool.getByLabel("Label").fill("many");
  const many = tool.getByRole("region", { name: "The same call many times" });
  await expect(many.getByRole("button", { name: "Run many times" })).toBeDisabled();
  await expect(many).toContainText("forge.build asks before each call.");
  await tool.getByText("Straight", { exact: true }).click();
  await many.getByLabel("How often").fill("0");
  await many.getByRole("button", { name: "Run many times" }).click();
  await expect(many).toContainText("A number from 2 to 1000");
  await many.getByLabel("How often").fill("200");
  await many.getByRole("button", { name: "Run many times" }).click();
  const figure = (name: string) =>
    many
      .locator("dl > div")
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator("dd");
  await expect(figure("Calls")).toHaveText("200");
  await expect(figure("Failed")).toHaveText("0");
  await expect(figure("p95")).toContainText("ms");
  await expect(many.getByRole("img", { name: /^How long the calls took/ })).toBeVisible();
  expect(await app.ask("GET", "/approvals")).toEqual([]);

  const slow = await choose(page, "forge.smelt");
  await slow.getByText("Straight", { exact: true }).click();
  const repeated = slow.getByRole("region", { name: "The same call many times" });
  await repeated.getByRole("button", { name: "Run many times" }).click();
  await expect(repeated.getByRole("progressbar")).toBeVisible();
  await repeated.getByRole("button", { name: "Stop" }).click();
  await expect(repeated.getByRole("button", { name: "Run many times" })).toBeEnabled();
  await expectCalls(app, 201);
});

/** That many calls of Forge are over, the stopped one long before it would have ended by itself, and none follows. */
async function expectCalls(app: App, count: number): Promise<void> {
  const made = async () => {
    const row = await app.ask<{ instance: { calls: { count: number } } }>(
      "GET",
      "/agents/helper/plugins/forge",
    );
    return row.instance.calls.count;
  };
  await expect.poll(made, { timeout: 3_000 }).toBe(count);
}
