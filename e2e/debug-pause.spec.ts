import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

test("a breakpoint edits arguments; the approval, the call and the timeline show old and new", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.echo);
  await app.set("echo", { enabled: true });
  await app.script([
    { say: "I say it.", call: { tool: "echo__say", input: { text: "the old words" } } },
    { say: "Said." },
  ]);
  await page.getByRole("link", { name: "Debug" }).click();

  await page.getByRole("button", { name: "Breakpoints", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Breakpoints" });
  await dialog.getByRole("button", { name: "Add a breakpoint" }).click();
  await dialog.getByLabel("Tool").fill("echo__*");
  const condition = dialog.getByLabel("Only if");
  await condition.fill('args.text contains "old');
  await expect(dialog.getByText('This text has no closing quotation mark. (at “"old”)')).toBeVisible();
  await condition.fill('args.text contains "old"');
  await dialog.getByLabel("Name").fill("old words");
  await expectNoViolationsInBoth(page, "the form of a breakpoint");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("listitem")).toContainText("old words");
  await expect(dialog.getByRole("listitem")).toContainText("not reached yet");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Breakpoints 1" })).toBeVisible();

  await app.send("Say it");
  const bar = page.getByRole("region", { name: "Stopped turn" });
  await expect(bar).toContainText("Stopped before echo.say · breakpoint “old words”");
  await expect(bar).toContainText("the old words");
  await expect(page.getByRole("link", { name: /Debug.*One turn stands still/ })).toBeVisible();
  await expectNoViolationsInBoth(page, "a turn that stands still");

  await bar.getByRole("button", { name: "Edit…" }).click();
  const edit = page.getByRole("dialog", { name: "Change the arguments of echo.say" });
  const editor = edit.getByRole("textbox", { name: "As JSON" });
  const write = async (text: string) => {
    await editor.click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.press("Delete");
    await page.keyboard.type(text);
  };
  await write('{ "text": 7 }');
  await expect(edit.getByRole("button", { name: "Continue with this" })).toBeDisabled();
  await write('{ "text": "the new words" }');
  await expect(edit.getByLabel("What changes")).toContainText("the new words");
  await expectNoViolationsInBoth(page, "changing arguments");
  await edit.getByRole("button", { name: "Continue with this" }).click();

  const approval = page.getByRole("region", { name: /echo\.say/ }).filter({ hasText: "You changed these" });
  await expect(approval).toContainText("the old words");
  await expect(approval).toContainText("the new words");
  await approval.getByRole("button", { name: "Allow once" }).click();

  const card = page.getByRole("log").getByRole("article", { name: /echo\.say/ });
  await expect(card).toContainText("Arguments changed by you");
  await expect(card).toContainText("the old words");
  await expect(card).toContainText("the new words");
  await expect(page.getByRole("log").getByText("Said.")).toBeVisible();
  await expect(bar).toBeHidden();

  const pause = page.getByRole("treeitem", { name: /Stopped at a breakpoint/ });
  await pause.click();
  await expect(page.getByText("You changed it, and let it go on.")).toBeVisible();
});

test("a stopped turn goes on by keys, by one step, without the tool, or not at all", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.echo);
  await app.set("echo", { enabled: true });
  await app.script([{ call: { tool: "echo__say", input: { text: "hello" } } }, { say: "Said." }]);
  await page.getByRole("link", { name: "Debug" }).click();
  await page.getByRole("button", { name: "Breakpoints", exact: true }).click();
  await page.getByRole("button", { name: "Stop at the next step" }).click();
  await page.keyboard.press("Escape");

  await app.send("Say it");
  const bar = page.getByRole("region", { name: "Stopped turn" });
  await expect(bar).toContainText("Stopped before the model is asked · next step");
  await page.keyboard.press("F10");
  await expect(bar).toContainText("Stopped before echo.say");
  await bar.getByRole("button", { name: "Skip…" }).click();
  const skip = page.getByRole("dialog", { name: "Skip echo.say" });
  await skip.getByLabel("The agent is given this in place of the result").fill("Said by hand.");
  await skip.getByRole("button", { name: "Skip and continue" }).click();
  await expect(page.getByRole("log").getByText("the result is yours")).toBeVisible();
  await expect(page.getByRole("log").getByText("Said.", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Breakpoints", exact: true }).click();
  await page.getByRole("button", { name: "Stop at the next step" }).click();
  await page.keyboard.press("Escape");
  await app.send("Again");
  await expect(bar).toContainText("Stopped before the model is asked");
  await bar.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(bar).toBeHidden();
});
