import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

interface Rule {
  tool: string;
  effect: string;
  callers?: unknown[];
  origin?: { from: string };
}

const rules = async (app: App) => (await app.ask<{ policy: Rule[] }>("GET", "/agents/helper")).policy;

test("rules are written with what they will change, explain calls, and are taken away again", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.echo);
  await app.install(pluginFolder.careful);
  await app.install(pluginFolder.mailbox);
  for (const key of ["echo", "careful", "mailbox"]) await app.set(key, { enabled: true });
  await app.script([
    { call: { tool: "shell", input: { command: "echo one" } } },
    { call: { tool: "shell", input: { command: "echo forbidden" } } },
    { say: "Done." },
  ]);
  const panel = await app.openConversation();
  await app.send("One");
  await panel.getByRole("button", { name: "This session" }).click();
  await expect(panel.getByText("Done.", { exact: true })).toBeVisible();

  await test.step("a call says why it ran, and another one who refused it", async () => {
    const cards = panel.getByRole("article", { name: /shell/ });
    const [first, second] = [cards.first(), cards.nth(1)] as const;
    await first.getByText("By which rule?").click();
    await expect(first.getByText("By the rules you are asked first")).toBeVisible();
    await expect(
      first.getByText("No rule decides. The default: built-in tools that write or run something ask."),
    ).toBeVisible();
    await expect(first.getByText("You allowed it for the conversation.")).toBeVisible();
    await second.getByText("By which rule?").click();
    await expect(second.getByText("Careful refused the call: That word is not allowed here.")).toBeVisible();
    await first.getByRole("link", { name: "Show the rules" }).click();
    await page.getByRole("button", { name: "Conversation", exact: true }).click();
  });

  await test.step("what was allowed for one conversation is listed, and taken back", async () => {
    const allowances = page.getByRole("region", { name: "Allowed for one conversation" });
    await expect(allowances.getByText(/^in “One”/)).toBeVisible();
    await allowances.getByRole("button", { name: "Take back shell in “One”" }).click();
    await expect(allowances.getByText("Nothing is allowed for one conversation alone.")).toBeVisible();
  });

  const dialog = page.getByRole("dialog", { name: "Add a rule" });
  await test.step("a rule for several tools shows which it names and what will change, before it is saved", async () => {
    await expect(page.getByText("No rules yet")).toBeVisible();
    await page.getByRole("button", { name: "Add a rule" }).click();
    await dialog.getByRole("radio", { name: "Several" }).check();
    await dialog.getByRole("textbox", { name: "Names that begin with" }).fill("echo__");
    await expect(dialog.getByText("Names 2 tools: echo.say, echo.reveal")).toBeVisible();
    await expect(dialog.getByText(/^Nothing changes/)).toBeVisible();
    await dialog.getByRole("radio", { name: "Never" }).check();
    await expect(dialog.getByText("2 tools change:")).toBeVisible();
    const changes = dialog.getByRole("region", { name: "What changes" });
    await expect(changes.getByRole("listitem")).toHaveCount(2);
    await expect(changes.getByRole("listitem").first()).toContainText("asks first → never");
    await dialog.getByRole("checkbox", { name: "You", exact: true }).uncheck();
    await expect(dialog.getByText("Choose at least one.")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Save the rule" })).toBeDisabled();
    await dialog.getByRole("checkbox", { name: "You", exact: true }).check();
    await expectNoViolationsInBoth(page, "A rule");
    await dialog.getByRole("button", { name: "Save the rule" }).click();
    await expect(dialog).toHaveCount(0);
    expect(await rules(app)).toMatchObject([{ tool: "echo__*", effect: "deny", origin: { from: "tools" } }]);
  });

  await test.step("a rule for people in a chat, by their role, and it stands above the wider one", async () => {
    await page.getByRole("button", { name: "Add a rule" }).click();
    await dialog.getByRole("combobox", { name: "Tool" }).selectOption("echo.say");
    await dialog.getByRole("radio", { name: "Without asking" }).check();
    await dialog.getByRole("combobox", { name: "Who there" }).selectOption("those with the role");
    await dialog.getByRole("textbox", { name: "Role" }).fill("user");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await expect(dialog.getByText("for the role user on Mailbox")).toBeVisible();
    await expect(dialog.getByText("somebody with the role user on Mailbox")).toBeVisible();
    await dialog.getByRole("button", { name: "Save the rule" }).click();
    const list = page.getByRole("list", { name: "Rules in the order in which they win" });
    await expect(list.getByRole("listitem")).toHaveCount(2);
    await expect(list.getByRole("listitem").first()).toContainText("echo.say");
    await expect(list.getByRole("listitem").first()).toContainText("for you, for the role user on Mailbox");
    await expect(list.getByRole("listitem").last()).toContainText("names 2 tools, decides for 1 of them");
    await expectNoViolationsInBoth(page, "Rules");
  });

  await test.step("what would happen if: who decides, who loses and why, and who is asked", async () => {
    await page.getByRole("tab", { name: "What if" }).click();
    await page.getByRole("combobox", { name: "Tool" }).selectOption("echo.say");
    const answer = page.getByRole("region", { name: "What would happen" });
    await expect(answer.getByText("It would run without a question")).toBeVisible();
    await expect(answer.getByText("loses: another rule names the tool more exactly")).toBeVisible();
    await expect(answer.getByText(/^Before the call Careful is asked/)).toBeVisible();
    await page.getByRole("combobox", { name: "Asked for by" }).selectOption("Somebody on Mailbox");
    await expect(answer.getByText("It would be refused")).toBeVisible();
    await expect(
      answer.getByText("No rule decides. The default: people in chats may not use it."),
    ).toBeVisible();
    await expect(answer.getByText("is for somebody else").first()).toBeVisible();
    await page.getByRole("combobox", { name: "Asked for by" }).selectOption("You");
    const given = page.getByRole("textbox", { name: "Arguments, as JSON" });
    await given.fill("{text:");
    await expect(page.getByText(/^This is not JSON/)).toBeVisible();
    await given.fill('{"text": 5}');
    await expect(answer.getByText(/text must be/)).toBeVisible();
    await given.fill('{"text": "Hello"}');
    await expect(answer.getByText("The arguments fit what the tool takes.")).toBeVisible();
    await expectNoViolationsInBoth(page, "What if");
  });

  await test.step("removed: it says first what comes back, and the default holds again", async () => {
    await page.getByRole("tab", { name: /^Rules/ }).click();
    await page.getByRole("button", { name: /^Remove the rule echo__\*/ }).click();
    const question = page.getByRole("dialog", { name: /^Remove the rule echo__/ });
    await expect(question.getByText("One tool changes:")).toBeVisible();
    await question.getByRole("button", { name: "Remove" }).click();
    await expect(question).toHaveCount(0);
    expect((await rules(app)).map(({ tool }) => tool)).toEqual(["echo__say"]);
  });
});

test("a rule that is taken back holds at once, in the conversation where it was given too", async ({
  app,
}) => {
  const { page } = app;
  const call = { call: { tool: "shell", input: { command: "echo one" } } };
  await app.script([call, { say: "Once." }, call, { say: "Twice." }, call, { say: "Refused." }]);
  const panel = await app.openConversation();
  await app.send("One");
  await panel.getByRole("button", { name: "Always" }).click();
  await expect(panel.getByText("Once.", { exact: true })).toBeVisible();
  await app.send("Two");
  await expect(panel.getByText("Twice.", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Tools", exact: true }).click();
  await page.getByRole("button", { name: "Revoke shell" }).click();
  await expect(page.getByRole("button", { name: "Revoke shell" })).toHaveCount(0);
  await app.send("Three");
  await expect(panel.getByRole("button", { name: "Allow once" })).toBeVisible();
});

test("in German, by keyboard, the rules say the same", async ({ app }) => {
  const { page } = app;
  await app.ask("PATCH", "/settings", { language: "de" });
  await app.ask("PUT", "/agents/helper/policies/rule", {
    rule: { tool: "sh*", effect: "deny", callers: ["anyone"] },
  });
  await app.goTo("/agents/helper/tools/rules");
  const list = page.getByRole("list", { name: "Regeln in der Reihenfolge, in der sie gewinnen" });
  await expect(list).toContainText("nie, für alle, auch in Chats");
  await expect(list).toContainText("entscheidet bei einem Werkzeug");
  await page.getByRole("button", { name: "Regel hinzufügen" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Regel hinzufügen" });
  await dialog.getByRole("combobox", { name: "Werkzeug" }).selectOption("shell");
  await expect(dialog.getByText("Ein Werkzeug ändert sich:")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});
