import { readFile } from "node:fs/promises";
import { expect, test } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";

test("conversations are pinned, exported, removed and brought back, and show what goes on in them", async ({
  app,
}) => {
  const { page } = app;
  await app.script([{ say: "At **nine**." }]);
  const panel = await app.openConversation();
  const log = panel.getByRole("log");
  await app.send("When does the harbour open?");
  await expect(log.getByText("nine")).toBeVisible();
  await panel.getByRole("button", { name: "New conversation", exact: true }).click();
  await app.script([{ say: "This takes a long while to say.", delayMs: 60_000 }]);
  await app.send("And the library?");
  await expect(panel.getByRole("button", { name: "Stop" })).toBeVisible();

  await panel.getByRole("button", { name: "All conversations" }).click();
  const list = panel.getByRole("region", { name: "Conversations" });
  const lines = list.getByRole("listitem");
  const harbour = lines.filter({ hasText: "When does the harbour open?" });
  const library = lines.filter({ hasText: "And the library?" });
  await expect(library.getByRole("img", { name: "The agent is at work" })).toBeVisible();
  await expect(lines.first()).toContainText("And the library?");

  const more = async (title: string, item: string) => {
    await list.getByRole("button", { name: `More for “${title}”` }).press("Enter");
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  await more("When does the harbour open?", "Pin");
  await expect(harbour.getByRole("img", { name: "Pinned" })).toBeVisible();
  await expect(lines.first()).toContainText("When does the harbour open?");

  const downloading = page.waitForEvent("download");
  await more("When does the harbour open?", "Export as Markdown");
  const file = await downloading;
  expect(file.suggestedFilename()).toBe("When does the harbour open.md");
  const text = await readFile(await file.path(), "utf8");
  expect(text).toContain("# When does the harbour open?");
  expect(text).toContain("At **nine**.");
  await expect(list.getByText("When does the harbour open.md was handed to your browser.")).toBeVisible();
  const second = page.waitForEvent("download");
  await more("When does the harbour open?", "Export as JSON");
  const json = JSON.parse(await readFile(await (await second).path(), "utf8"));
  expect(json).toMatchObject({ version: 1, session: { title: "When does the harbour open?", pinned: true } });

  await more("When does the harbour open?", "Remove");
  await page.getByRole("dialog").getByRole("button", { name: "Remove conversation" }).click();
  await expect(harbour).toHaveCount(0);
  await expect(list.getByText("“When does the harbour open?” is removed.")).toBeVisible();
  await expectNoViolationsInBoth(page, "a conversation that was just removed");
  await list.getByRole("button", { name: "Undo" }).click();
  await expect(list.getByText("“When does the harbour open?” is back.")).toBeVisible();
  await expect(harbour.getByRole("img", { name: "Pinned" })).toBeVisible();
  await list.getByRole("button", { name: /^When does the harbour open/ }).click();
  await expect(log.getByText("nine")).toBeVisible();

  // What ends meanwhile elsewhere is marked until it is looked at.
  const sessions = await app.ask<{ id: string; title: string }[]>("GET", "/agents/helper/sessions");
  const other = sessions.find(({ title }) => title === "And the library?");
  await app.ask("POST", `/agents/helper/sessions/${other?.id}/abort`);
  await panel.getByRole("button", { name: "All conversations" }).click();
  await expect(library.getByRole("img", { name: "Not read yet" })).toBeVisible();
  await expect(harbour.getByRole("img", { name: "Not read yet" })).toHaveCount(0);
  await list.getByRole("button", { name: /^And the library/ }).click();
  await expect(log.getByText("You stopped it.")).toBeVisible();
  await panel.getByRole("button", { name: "All conversations" }).click();
  await expect(library.getByRole("img", { name: "Not read yet" })).toHaveCount(0);
});

test("/new opens a new conversation, and the one before stays in the list", async ({ app }) => {
  const { page } = app;
  await app.script([{ say: "At nine." }]);
  const panel = await app.openConversation();
  const log = panel.getByRole("log");
  await app.send("When does the harbour open?");
  await expect(log.getByText("At nine.")).toBeVisible();
  await page.getByRole("textbox", { name: /^Message to/ }).fill("/new ");
  await page.keyboard.press("Enter");
  await expect(log.getByText("At nine.")).toHaveCount(0);
  await expect(panel.getByText("Ask Helper something")).toBeVisible();
  await panel.getByRole("button", { name: "All conversations" }).click();
  await expect(panel.getByRole("region", { name: "Conversations" }).getByRole("listitem")).toHaveCount(2);
});
