import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolations } from "./support/axe.ts";

test("a turn streams, calls a tool, and the call is allowed here with the arguments that run", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.careful);
  await app.set("careful", { enabled: true });
  await app.script([
    { say: "I will look.", call: { tool: "shell", input: { command: "echo rm -rf build" } } },
    { say: "Done, `build/old` is gone." },
  ]);
  const panel = await app.openConversation();
  await app.send("Tidy up");
  await expect(panel.getByRole("log").getByText("Tidy up")).toBeVisible();
  const approval = panel.getByRole("region", { name: "Approval for shell" });
  await expect(approval.getByText("echo rm -r build/old")).toBeVisible();
  await expect(approval.getByText(/changed by Careful/)).toBeVisible();
  await expect(page.getByRole("link", { name: /^Approvals/ })).toContainText("1");
  await approval.getByRole("button", { name: "Allow once" }).click();

  const call = panel.getByRole("article", { name: "Tool call shell" });
  await expect(call).toHaveAttribute("data-outcome", "executed");
  await expect(call.getByText("echo rm -rf build")).toBeVisible();
  await expect(call.getByText("echo rm -r build/old")).toBeVisible();
  await expect(call.getByText("Arguments changed by Careful")).toBeVisible();
  await expect(call.getByText(/allowed by you/)).toBeVisible();
  await expect(panel.getByText("is gone.")).toBeVisible();

  await page.reload();
  await expect(panel.getByText("is gone.")).toBeVisible();
  await expect(call.getByText("Arguments changed by Careful")).toBeVisible();
});

test("a denied call tells the agent the reason and runs nothing", async ({ app }) => {
  const { page } = app;
  await app.script([{ call: { tool: "shell", input: { command: "echo no" } } }, { say: "Then I will not." }]);
  const panel = await app.openConversation();
  await app.send("Do it");
  await page.getByRole("link", { name: /^Approvals/ }).click();
  const inbox = page.getByRole("region", { name: "Waiting for you" });
  await inbox.getByRole("button", { name: "Deny…" }).click();
  await inbox.getByRole("textbox", { name: "Reason, for the agent to read" }).fill("Not on a Sunday");
  await inbox.getByRole("button", { name: "Deny", exact: true }).click();
  await expect(inbox.getByText(/^Nothing waits for you/)).toBeVisible();
  const call = panel.getByRole("article", { name: "Tool call shell" });
  await expect(call).toHaveAttribute("data-outcome", "rejected");
  await expect(call.getByText(/Not on a Sunday/)).toBeVisible();
  await expect(panel.getByText("Then I will not.")).toBeVisible();
});

test("a plugin's tool is called, and a call that a guard blocks names the guard", async ({ app }) => {
  await app.install(pluginFolder.weather);
  await app.install(pluginFolder.careful);
  await app.set("weather", { enabled: true, secrets: { apiKey: "k" } });
  await app.set("careful", { enabled: true });
  await app.script([
    { call: { tool: "weather__forecast", input: { place: "Bern" } } },
    { call: { tool: "shell", input: { command: "echo forbidden" } } },
    { say: "It is sunny." },
  ]);
  const panel = await app.openConversation();
  await app.send("Weather?");
  await panel
    .getByRole("region", { name: "Approval for weather.forecast" })
    .getByRole("button", { name: "This session" })
    .click();
  const forecast = panel.getByRole("article", { name: "Tool call weather.forecast" });
  await expect(forecast).toHaveAttribute("data-outcome", "executed");
  await forecast.getByText("Result", { exact: true }).click();
  await expect(forecast.getByText(/^Bern: sunny/)).toBeVisible();
  const blocked = panel.getByRole("article", { name: "Tool call shell" });
  await expect(blocked).toHaveAttribute("data-outcome", "vetoed");
  await expect(blocked.getByText("blocked by Careful")).toBeVisible();
  await expect(panel.getByText("It is sunny.")).toBeVisible();
});

test("a turn can be stopped", async ({ app }) => {
  await app.script([{ say: "This takes a long while to say.", delayMs: 60_000 }]);
  const panel = await app.openConversation();
  await app.send("Go");
  await panel.getByRole("button", { name: "Stop" }).click();
  await expect(panel.getByText("You stopped it.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Send" })).toBeVisible();
});

test("a menu that is opened while a turn runs stays open when it ends", async ({ app }) => {
  const { page } = app;
  await app.script([{ say: "This takes a long while to say.", delayMs: 60_000 }]);
  const panel = await app.openConversation();
  await app.send("Go");
  await expect(panel.getByRole("button", { name: "Stop" })).toBeVisible();
  await page.getByRole("button", { name: /^Agent: Helper/ }).click();
  const item = page.getByRole("menuitem", { name: "Create agent" });
  await item.hover();
  await expect(item).toBeFocused();

  const [session] = await app.ask<{ id: string }[]>("GET", "/agents/helper/sessions");
  await app.ask("POST", `/agents/helper/sessions/${session?.id}/abort`);
  await expect(panel.getByText("You stopped it.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Send", includeHidden: true })).toBeVisible();
  await expect(item).toBeFocused();
});

test("slash commands are completed, and a plugin's question is answered in place", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.careful);
  await app.set("careful", { enabled: true });
  await expect(app.card("Careful").getByText("Running", { exact: true })).toBeVisible();
  const panel = await app.openConversation();
  await page.getByRole("textbox", { name: /^Message to/ }).fill("/ca");
  await expect(page.getByRole("option", { name: /careful/ })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("textbox", { name: /^Message to/ })).toHaveValue("/careful ");
  await page.keyboard.press("Enter");
  const question = panel.getByRole("form", { name: "Question of Careful" });
  await question.getByRole("radio", { name: "Somewhat careful" }).check();
  await question.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(panel.getByText("You chose: somewhat")).toBeVisible();
});

test("a failing model says what happened, and the message can be sent again", async ({ app }) => {
  await app.script([{ fail: "the provider is on strike" }, { say: "Better now." }]);
  const panel = await app.openConversation();
  await app.send("Hello");
  await expect(panel.getByRole("alert")).toContainText("the provider is on strike");
  await app.send("Hello again");
  await expect(panel.getByText("Better now.")).toBeVisible();
});

test("an answer's Markdown is drawn whole: headings, lists, tables, links and code that can be copied", async ({
  app,
}) => {
  const { page } = app;
  const answer = [
    "## Tides",
    "",
    "1. **High** water",
    "2. Low water",
    "",
    "| Port | Height |",
    "| --- | ---: |",
    "| Husum | 3.4 m |",
    "",
    "See [the table](https://example.com/tides) or `npm start`.",
    "",
    "```sh",
    "npm run tides",
    "```",
  ].join("\n");
  await app.script([{ say: answer }]);
  const panel = await app.openConversation();
  await app.send("When is high water?");
  await expect(panel.getByRole("heading", { name: "Tides" })).toBeVisible();
  await expect(panel.getByRole("list").getByRole("listitem").filter({ hasText: "water" })).toHaveCount(2);
  await expect(panel.getByRole("columnheader")).toHaveText(["Port", "Height"]);
  await expect(panel.getByRole("cell", { name: "3.4 m" })).toHaveCSS("text-align", "right");
  await expect(panel.getByRole("link", { name: "the table" })).toHaveAttribute(
    "href",
    "https://example.com/tides",
  );
  await expect(panel.locator("pre").filter({ hasText: "npm run tides" })).toBeVisible();
  await panel.getByText("npm run tides").hover();
  await expect(panel.getByRole("button", { name: "Copy", exact: true }).first()).toBeVisible();
  await expectNoViolations(page, "an answer in Markdown");
});
