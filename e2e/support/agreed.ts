import type { Locator, Page } from "@playwright/test";
import { type App, expect } from "./app.ts";

/** Clicks through an installation that asks for nothing but consent. */
export async function agree(page: Page, name: string): Promise<Locator> {
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: `Install ${name}?` })).toBeVisible();
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: `${name} is installed` })).toBeVisible();
  return dialog;
}

/** Has the agent call a tool, and waits for its answer in the conversation. */
export async function callAndRead(app: App, tool: string, title: string, input: object = {}): Promise<void> {
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "*", effect: "allow" }] });
  await app.script([{ call: { tool, input } }, { say: "That is what it said." }]);
  const panel = await app.openConversation();
  await app.send("Ask it");
  await expect(panel.getByRole("article", { name: `Tool call ${title}` })).toHaveAttribute(
    "data-outcome",
    "executed",
  );
  await expect(panel.getByText("That is what it said.")).toBeVisible();
}
