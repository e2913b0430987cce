import { type App, expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

const openKeys = (app: App) => app.goTo("/agents/helper/settings/keys");
const palette = "Go to or do anything";

async function choose(app: App, what: string, key: string): Promise<void> {
  const { page } = app;
  await page.getByRole("button", { name: `Change the key of: ${what}` }).click();
  await page.keyboard.press(key);
  await page.getByRole("button", { name: "Use this key" }).press("Enter");
  await expect(page.getByRole("button", { name: "Use this key" })).toBeHidden();
}

test("a person gives a command a key, moves it, takes it away and puts it back", async ({ app }) => {
  const { page } = app;
  await openKeys(app);
  await choose(app, "Go to Debug", "Alt+d");
  await expect(page.getByText("Alt+D")).toBeVisible();
  await page.keyboard.press("Alt+d");
  await expect(page).toHaveURL(/\/debug$/);

  await openKeys(app);
  await choose(app, "Open or close the palette", "Control+j");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+j");
  await expect(page.getByRole("dialog", { name: palette })).toHaveCount(1);
  await page.keyboard.press("Control+j");
  await expect(page.getByRole("dialog", { name: palette })).toHaveCount(0);

  await page.getByRole("button", { name: "Remove the key of: Go to Debug" }).click();
  await expect(page.getByRole("button", { name: "Remove the key of: Go to Debug" })).toBeDisabled();
  await page.getByRole("button", { name: "Put back the usual key of: Open or close the palette" }).click();
  await expect(page.getByText("Ctrl+K")).toBeVisible();
  await expect
    .poll(async () => (await app.ask<{ keys: unknown }>("GET", "/settings")).keys)
    .toEqual({ "command:goDebug": null });
  await page.getByRole("button", { name: "Put all keys back" }).click();
  await expect.poll(async () => (await app.ask<{ keys: unknown }>("GET", "/settings")).keys).toEqual({});
});

test("a key that is taken says by what, and one that nobody can have is refused", async ({ app }) => {
  const { page } = app;
  await openKeys(app);
  await page.getByRole("button", { name: "Change the key of: Go to Tools" }).click();
  await page.keyboard.press("Control+w");
  await expect(page.getByText("Ctrl+W belongs to the browser or the system.")).toBeVisible();
  await page.keyboard.press("Control+c");
  await expect(page.getByText("Ctrl+C copies, and stays so.")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByText("Until now it does something else: Open or close the palette.")).toBeVisible();
  await expectNoViolationsInBoth(page, "keys");
  await page.getByRole("button", { name: "Use this key" }).click();
  await expect(page.getByText("Ctrl+K is now for: Go to Tools")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page).toHaveURL(/\/tools$/);

  await openKeys(app);
  const change = page.getByRole("button", { name: "Change the key of: Go to Tools" });
  await change.click();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Press the key for: Go to Tools")).toBeHidden();
  await expect(change).toBeFocused();
});

test("keys edit the message, and Undo knows of it", async ({ app }) => {
  const { page } = app;
  const keys = {
    "command:send": "ctrl-enter",
    "command:newLine": "enter",
    "command:lineStart": "ctrl-a",
    "command:killToLineEnd": "ctrl-k",
    "command:killWordBack": "alt-backspace",
    "command:yank": "ctrl-y",
    "command:yankPop": "alt-y",
    "command:undo": "alt-u",
    "command:historyPrevious": "alt-p",
    "command:historyNext": "alt-n",
    "command:toTop": "alt-t",
    "command:nextConversation": "f8",
    "command:newConversation": "f9",
  };
  await app.ask("PATCH", "/settings", { keys });
  await app.script([{ say: "First answer." }, { say: "Second answer." }]);
  await app.goTo("/agents/helper/conversation");
  const message = page.getByRole("textbox", { name: "Message to Helper" });
  await message.fill("one two");
  await message.press("Enter");
  await message.pressSequentially("three");
  await expect(message).toHaveValue("one two\nthree");
  await message.press("Control+a");
  await message.press("Control+k");
  await expect(message).toHaveValue("one two\n");
  await message.press("Control+k");
  await message.press("Backspace");
  await message.press("Alt+Backspace");
  await expect(message).toHaveValue("one ");
  await message.press("Control+y");
  await expect(message).toHaveValue("one two");
  await message.press("Alt+y");
  await expect(message).toHaveValue("one three");
  await message.press("Alt+u");
  await expect(message).not.toHaveValue("one three");
  await message.fill("one three");
  await message.press("Control+Enter");
  await expect(page.getByText("First answer.")).toBeVisible();

  await message.fill("a draft");
  await message.press("Alt+p");
  await expect(message).toHaveValue("one three");
  await message.press("Alt+n");
  await expect(message).toHaveValue("a draft");

  await message.press("F9");
  await expect(page.getByText("First answer.")).toBeHidden();
  await page.keyboard.press("F8");
  await expect(page.getByText("First answer.")).toBeVisible();
});
