import { join } from "node:path";
import { modelServer, openaiStream } from "../test/agents/model-server.ts";
import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

const reminder = join(import.meta.dirname, "plugins", "reminder");

test("what the model was sent stands part by part, with whoever put it there, how full it is and what it cost", async ({
  app,
}) => {
  const { page } = app;
  const long = "A line that is said again and again. ".repeat(200);
  /** As a model counts that was sent so much. */
  const counted = (events: string[]) =>
    events.map((line) => line.replace('"prompt_tokens":11', '"prompt_tokens":6112'));
  await using server = await modelServer([
    {
      events: counted(
        openaiStream({
          text: ["Looking."],
          calls: [{ id: "c1", name: "echo__say", arguments: [JSON.stringify({ text: long })] }],
        }),
      ),
    },
    { events: counted(openaiStream({ text: ["Done."] })) },
  ]);
  await app.install(pluginFolder.echo);
  await app.install(reminder);
  for (const key of ["echo", "reminder"]) await app.set(key, { enabled: true });
  await app.ask("PUT", "/agents/helper/policies/rule", { rule: { tool: "echo__say", effect: "allow" } });
  await app.ask("PATCH", "/agents/helper", {
    model: { kind: "openai-compatible", model: "local", baseUrl: `${server.url}/v1` },
  });
  await app.goTo("/agents/helper/debug/context");
  const panel = page.getByRole("tabpanel", { name: /^Context/ });

  await test.step("before anything was said it says so", async () => {
    await expect(panel.getByText("No model was asked yet")).toBeVisible();
  });
  await app.send("What is on today?");

  await test.step("the last call is shown: figures, the filled window, and who filled it", async () => {
    await expect(panel.getByRole("combobox", { name: "Model call" })).toHaveValue("2");
    const by = panel.getByRole("region", { name: "Who filled it" });
    await expect(by).toContainText("Echo");
    await expect(by).toContainText("Reminder");
    await expect(by).toContainText("Patchbay, you and the model");
    const bar = panel.getByRole("region", { name: "What fills the context" });
    await expect(bar.getByText("What tools answered")).toBeVisible();
    await expect(panel.getByText("6,112 tokens")).toBeVisible();
    await expect(panel.getByText("Cost of the request")).toBeVisible();
  });

  await test.step("a section that a hook added names its plugin, and is unfolded to read", async () => {
    const system = panel.getByRole("region", { name: "System prompt" });
    await expect(system.getByText("added by Reminder")).toBeVisible();
    await system.getByRole("button", { name: /added by Reminder/ }).click();
    await expect(system.getByText("After Reminder")).toBeVisible();
  });

  await test.step("what a hook put into this one call stands with its plugin", async () => {
    const changes = panel.getByRole("region", { name: "Changed by hooks before the call" });
    await expect(changes.getByText("Reminder changed the messages")).toBeVisible();
    await expect(changes.getByText("It is Thursday.")).toBeVisible();
  });

  await test.step("a long result is bounded, and whole when it is wanted", async () => {
    const results = panel.getByRole("region", { name: "What tools answered" });
    await results.getByRole("button", { name: /from Echo/ }).click();
    const text = results.locator("pre");
    expect((await text.textContent())?.length).toBeLessThan(2_100);
    await results.getByRole("button", { name: /^Show all/ }).click();
    await expect.poll(async () => (await text.textContent())?.length ?? 0).toBeGreaterThan(7_000);
  });

  await test.step("words are searched in what was sent", async () => {
    await panel.getByRole("searchbox", { name: "Search what was sent" }).fill("say again");
    await expect(panel.getByRole("region", { name: "System prompt" })).toHaveCount(0);
    await panel.getByRole("searchbox", { name: "Search what was sent" }).fill("");
  });

  await test.step("what nobody knows the price of is said, and never free", async () => {
    const money = panel.getByRole("region", { name: "What it cost" });
    await expect(money.getByText("price not known").first()).toBeVisible();
    await expect(money).not.toContainText("$0");
  });

  await test.step("the first call was not sent the result yet", async () => {
    await panel.getByRole("combobox", { name: "Model call" }).selectOption("1");
    await expect(panel.getByRole("region", { name: "What tools answered" })).toHaveCount(0);
    await expect(panel.getByRole("region", { name: "Tools", exact: true })).toContainText("echo.say");
  });

  await test.step("from a model call on the timeline it is one click", async () => {
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.getByText("Model call", { exact: false }).first().click();
    await page.getByRole("link", { name: "Show what it was sent" }).click();
    await expect(panel.getByRole("combobox", { name: "Model call" })).toHaveValue("1");
  });

  await expectNoViolationsInBoth(page, "Context");
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(page.getByRole("tab", { name: /^Kontext/ })).toBeVisible();
  await expect(page.getByText("Wer ihn gefüllt hat")).toBeVisible();
});
