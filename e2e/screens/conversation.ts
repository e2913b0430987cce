import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ask } from "../support/core.ts";
import type { Shoot } from "./studio.ts";

/** A conversation beside the plugins: a rewritten call, an approval, a plugin's own question, and the slash commands. */
export async function takeConversation(home: string, page: Page, shoot: Shoot): Promise<void> {
  // What the conversation removes has to be there.
  const { workspace } = await ask<{ workspace: string }>(home, "GET", "/agents/helper");
  await mkdir(join(workspace, "build", "old"), { recursive: true });
  const allow = page.getByRole("button", { name: "Allow once" });
  const panel = page.getByRole("complementary", { name: /^Talk to/ });
  if (!(await panel.isVisible()))
    await page.getByRole("button", { name: "Conversation", exact: true }).click();
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.getByText("Ask Helper something").waitFor();
  await say(page, "Remove the old build output and tell me what changed.");
  await allow.click();
  await page.getByText("nothing to commit").waitFor();
  await say(page, "Is anything large left?");
  await allow.waitFor();
  await shoot("conversation");
  await allow.click();
  await page.getByText("That is all").waitFor();
  await say(page, "And the merged branches?");
  await page.getByRole("form", { name: /^Question of/ }).waitFor();
  await shoot("question", "small");
  await page.getByRole("button", { name: "Yes", exact: true }).click();
  await page.getByText("They are gone.").waitFor();
  await page.getByRole("textbox", { name: /^Message to/ }).fill("/");
  await page.getByRole("option").first().waitFor();
  await shoot("commands", "small");
  await page.getByRole("textbox", { name: /^Message to/ }).fill("");
  await page.getByRole("button", { name: "All conversations" }).click();
  await page.getByRole("region", { name: "Conversations" }).waitFor();
  await shoot("conversations");
  await page.getByRole("button", { name: "Conversation on a page of its own" }).click();
  await page.getByRole("region", { name: /^Talk to/ }).waitFor();
  await shoot("conversation-page");
}

async function say(page: Page, text: string): Promise<void> {
  // The last words of a turn are there before it has ended.
  await page.getByRole("button", { name: "Send" }).waitFor();
  await page.getByRole("textbox", { name: /^Message to/ }).fill(text);
  await page.keyboard.press("Enter");
}
