import { type App, expect, pluginFolder, test } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";

interface Rights {
  tools: { name: string; effect: string }[];
  rules: { tool: string; effect: string; origin?: { from: string; answered: boolean } }[];
}

const rights = (app: App) => app.ask<Rights>("GET", "/agents/helper/tools/rights");

test("what an agent may do stands on one page, with where it came from, and is taken back there", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.echo);
  await app.set("echo", { enabled: true });
  await app.script([
    { call: { tool: "shell", input: { command: "echo one" } } },
    { say: "Done." },
    { call: { tool: "shell", input: { command: "echo two" } } },
    { say: "Not done." },
  ]);
  const panel = await app.openConversation();
  await app.send("One");
  await panel.getByRole("button", { name: "Always" }).click();
  await expect(panel.getByText("Done.", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "Tools", exact: true }).click();
  const may = page.getByRole("region", { name: "May do without asking" });
  const builtIn = page.getByRole("region", { name: "Built in" });
  const shell = builtIn.getByRole("article", { name: "shell" });

  await test.step("every tool is listed with its owner, in words, and why it may what it may", async () => {
    await expect(may.getByText(/^Always, .*, from a conversation$/)).toBeVisible();
    await expect(builtIn.getByRole("article")).toHaveCount(5);
    await expect(shell.getByText("Runs a command on this computer, in the agent's folder.")).toBeVisible();
    await expect(shell.getByText("Is given: command; if need be timeoutMs")).toBeVisible();
    await expect(shell.getByText(/^Always, .*, from a conversation$/)).toBeVisible();
    await expect(builtIn.getByRole("article", { name: "write_file" })).toContainText(
      "The default: built-in tools that write or run something ask",
    );
    await expect(
      page
        .getByRole("region", { name: "Echo" })
        .getByText(/^Echo says of it: “/)
        .first(),
    ).toBeVisible();
  });

  await test.step("in both themes, and where there is little room", async () => {
    await page.getByRole("button", { name: "Conversation", exact: true }).click();
    await expectNoViolationsInBoth(page, "Tools");
    await page.setViewportSize({ width: 640, height: 480 });
    await shell.getByRole("switch").scrollIntoViewIfNeeded();
    await expect(shell.getByRole("switch")).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  await test.step("off: the core offers it to the model no more, and keeps its rule for later", async () => {
    await shell.getByRole("switch", { name: "Offer shell to the agent" }).click();
    await expect(shell.getByText("Never: not offered to the model")).toBeVisible();
    const off = await rights(app);
    expect(off.tools.find((tool) => tool.name === "shell")?.effect).toBe("deny");
    await expect(may.getByText(/switched off at present/)).toBeVisible();
    await shell.getByRole("switch").click();
    await expect(shell.getByRole("radio", { name: "Without asking" })).toBeChecked();
  });

  await test.step("revoked: it asks again", async () => {
    await may.getByRole("button", { name: "Revoke shell" }).click();
    await expect(shell.getByRole("radio", { name: "Asks first" })).toBeChecked();
    expect((await rights(app)).rules.filter((rule) => rule.tool === "shell")).toEqual([]);
  });

  await test.step("by keyboard: found, allowed, and the rule says that it was set here", async () => {
    await page.getByRole("searchbox", { name: "Find a tool" }).fill("write");
    await expect(page.getByRole("article")).toHaveCount(1);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await expect(builtIn.getByText(/^Your setting, .*, on this page$/)).toBeVisible();
    const [rule] = (await rights(app)).rules;
    expect(rule).toMatchObject({
      tool: "write_file",
      effect: "allow",
      origin: { from: "tools", answered: false },
    });
  });

  await test.step("without a rule of the person the default holds again, and is said", async () => {
    await page.getByRole("button", { name: "Use the default" }).click();
    await expect(builtIn.getByText(/^The default:/)).toBeVisible();
  });
});
