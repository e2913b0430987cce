import { type App, expect, test } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";

async function goOn({ page }: App): Promise<void> {
  await page.reload();
  await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
}

test("conversations are listed, searched, named, and come back after a new one", async ({ app }) => {
  const { page } = app;
  await app.script([
    {
      say: "The **harbour** opens at nine.\n\n| day | time |\n| --- | --- |\n| Monday | 9:00 |\n\n```sh\nmake harbour\n```",
    },
  ]);
  const panel = await app.openConversation();
  await app.send("When does the harbour open?");
  await expect(panel.getByText("opens at nine")).toBeVisible();
  await expect(panel.getByRole("cell", { name: "Monday" })).toBeVisible();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await panel.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(panel.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("make harbour");
  await panel.getByRole("button", { name: "New conversation", exact: true }).click();
  await expect(panel.getByText("opens at nine")).toHaveCount(0);
  await app.script([{ say: "The library is closed." }]);
  await app.send("And the library?");
  await expect(panel.getByText("The library is closed.")).toBeVisible();

  await panel.getByRole("button", { name: "All conversations" }).click();
  const list = panel.getByRole("region", { name: "Conversations" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expectNoViolationsInBoth(page, "the list of conversations");
  await list.getByRole("searchbox", { name: "Search conversations" }).fill("OPENS at");
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(list.getByText(/harbour\*\* opens at nine/)).toBeVisible();
  await list.getByRole("searchbox").fill("nothing of the kind");
  await expect(list.getByText("No conversation has “nothing of the kind”")).toBeVisible();
  await list.getByRole("button", { name: "Clear" }).click();

  const first = list.getByRole("listitem").filter({ hasText: "When does the harbour open?" });
  await first.hover();
  await first.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await list.getByRole("textbox", { name: "Name of the conversation" }).fill("Harbour hours");
  await page.keyboard.press("Enter");
  await list.getByRole("button", { name: /^Harbour hours/ }).click();
  await expect(panel.getByText("opens at nine")).toBeVisible();
  await expect(panel.getByText("The library is closed.")).toHaveCount(0);

  await test.step("on a page of its own, with the list at its side", async () => {
    await panel.getByRole("button", { name: "Conversation on a page of its own" }).click();
    const own = page.getByRole("region", { name: "Talk to Helper" });
    await expect(own.getByText("opens at nine")).toBeVisible();
    await expect(own.getByRole("button", { name: /^Harbour hours/ })).toBeVisible();
    await expect(page.getByRole("complementary", { name: /^Talk to/ })).toHaveCount(0);
    await expectNoViolationsInBoth(page, "the page of the conversation");
    await own.getByRole("button", { name: "Conversation beside the other pages" }).click();
    await expect(panel.getByText("opens at nine")).toBeVisible();
  });
});

test("what is typed survives a reload and another conversation, and a dialog asks before it throws text away", async ({
  app,
}) => {
  const { page } = app;
  await app.script([{ say: "Yes." }]);
  const panel = await app.openConversation();
  const box = panel.getByRole("textbox", { name: /^Message to/ });
  await app.send("Are you there?");
  await expect(panel.getByText("Yes.")).toBeVisible();
  await box.fill("A half-written thought");
  await goOn(app);
  await expect(box).toHaveValue("A half-written thought");
  await panel.getByRole("button", { name: "New conversation", exact: true }).click();
  await expect(box).toHaveValue("");
  await panel.getByRole("button", { name: "All conversations" }).click();
  await panel.getByRole("button", { name: /^Are you there/ }).click();
  await expect(box).toHaveValue("A half-written thought");

  await test.step("a long paste is folded, and whole when asked for", async () => {
    await box.fill(`${"word ".repeat(40_000)}and no more`);
    await page.keyboard.press("Enter");
    const more = panel.getByRole("button", { name: /^Show all, \d{3}/ });
    await expect(more).toBeVisible();
    await expect(panel.getByText(/and no more/)).toHaveCount(0);
    await more.click();
    await expect(panel.getByText(/and no more/)).toBeVisible();
  });

  await test.step("the agent dialog", async () => {
    await page.getByRole("button", { name: /^Agent: Helper/ }).click();
    await page.getByRole("menuitem", { name: /^Edit/ }).click();
    const dialog = page.getByRole("dialog", { name: /Helper/ });
    await dialog.getByLabel("Instructions").fill("A long text that took a while");
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: "Throw away what you typed?" });
    await question.getByRole("button", { name: "Go on typing" }).click();
    await expect(dialog.getByLabel("Instructions")).toHaveValue("A long text that took a while");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await question.getByRole("button", { name: "Throw away" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});
