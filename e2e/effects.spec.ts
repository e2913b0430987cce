import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

/** What the plugin asks for at the beginning of a turn: everything that is shown. */
const shown = [
  ["notify", "Two files have changed since you last asked."],
  ["notify", "The tests are slower than they were.", "warn"],
  ["notify", "One of them could not be read.", "error"],
  ["entry", "changes", { added: 12, removed: "3 lines" }],
  ["entry", "hidden", "nobody sees this", { display: false }],
  [
    "entry",
    "tests",
    null,
    {
      lines: [
        { color: "green", text: "41 passed" },
        { color: "red", text: "1 failed" },
        { color: "blue", text: "2 skipped" },
      ],
    },
  ],
  ["customMessage", "A card of the plugin's own.\nIt has two lines.", { type: "card" }],
  ["thinkingLevel", "high"],
];

test("what a plugin leaves in a conversation is shown under its name, also after a reload", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.effects);
  const asks = {
    "turn.start@v1": [[...shown, ["steer", "Look at the tests first."]]],
    "run.prepare@v1": [
      [
        ["nextModel", "giant"],
        ["followUp", "And say what is slow."],
      ],
    ],
    "turn.end@v1": [[["run", "Write it down."]]],
  };
  await app.set("effects", { enabled: true, config: { hooks: { asks } } });
  await app.script([{ say: "The tests are fine." }, { say: "The build is slow." }, { say: "Written down." }]);
  const panel = await app.openConversation();
  await app.send("How is it going?");
  const log = panel.getByRole("log");
  const everything = async () => {
    await expect(log.getByText("Two files have changed since you last asked.")).toBeVisible();
    await expect(log.locator("[data-tone=warn]", { hasText: "The tests are slower" })).toContainText(
      "[Effects]",
    );
    await expect(log.locator("[data-tone=bad]", { hasText: "could not be read" })).toBeVisible();
    const blocks = log.getByRole("article", { name: "Left by Effects" });
    await expect(blocks).toHaveCount(3);
    await expect(blocks.first()).toContainText("added");
    await expect(blocks.nth(1).locator("[data-color=red]")).toHaveText("1 failed");
    await expect(blocks.last()).toContainText("It has two lines.");
    await expect(log.getByText("nobody sees this")).toHaveCount(0);
    await expect(log.getByText("How much the model thinks: much.")).toBeVisible();
    await expect(log.getByText("Effects to the agent")).toHaveCount(3);
    await expect(log.getByText("Look at the tests first.")).toBeVisible();
    await expect(log.getByText("The model giant is not known here.")).toBeVisible();
    await expect(log.getByText("And say what is slow.")).toBeVisible();
    await expect(log.getByText("Write it down.")).toBeVisible();
    await expect(log.getByText("Written down.")).toBeVisible();
  };
  await everything();
  await page.reload();
  await everything();
  await expectNoViolationsInBoth(page, "conversation");

  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(page.getByText("So viel denkt das Modell nach: viel.")).toBeVisible();
  await expect(page.getByText("Effects an den Agenten").first()).toBeVisible();
});

test("a command leaves its notice below itself, and a plugin that asks for a tree's entry that is not there is told of", async ({
  app,
}) => {
  await app.install(pluginFolder.effects);
  await app.set("effects", { enabled: true });
  await app.script([{ say: "Yes." }]);
  const panel = await app.openConversation();
  await app.send("Hello");
  const log = panel.getByRole("log");
  await expect(log.getByText("Yes.")).toBeVisible();
  await app.send(
    `/ask ${JSON.stringify([
      ["notify", "Done by hand."],
      ["session.navigate", "nowhere"],
    ])}`,
  );
  await expect(log.getByText("Done by hand.", { exact: true })).toBeVisible();
  await expect(log.locator("[data-tone=warn]")).toContainText("no entry");
});

test("a tool's card says what the tool asked for beside its result, and the run ends where it asked to", async ({
  app,
}) => {
  await app.install(pluginFolder.effects);
  await app.set("effects", { enabled: true });
  const list = [["stopAfterTurn"], ["notify", "That is enough."]];
  await app.script([{ call: { tool: "effects__ask", input: { list } } }, { say: "Never said." }]);
  const panel = await app.openConversation();
  await app.send("Hello");
  const approval = panel.getByRole("region", { name: "Approval for effects.ask" });
  await approval.getByRole("button", { name: "Allow once" }).click();
  const card = panel.getByRole("article", { name: "Tool call effects.ask" });
  await expect(card.getByText("Effects also asked for: an end after this")).toBeVisible();
  await expect(panel.getByText("That is enough.", { exact: true })).toBeVisible();
  await expect(panel.getByText("Working…")).toHaveCount(0);
  await expect(panel.getByText("Never said.")).toHaveCount(0);
});
