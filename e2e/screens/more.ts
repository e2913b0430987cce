import type { Page } from "@playwright/test";
import { ask } from "../support/core.ts";
import type { Sources } from "../support/sources.ts";

type Shoot = (name: string) => Promise<void>;

/** The welcome of a home without plugins. */
export async function takeWelcome(page: Page, shoot: Shoot): Promise<void> {
  await page.getByRole("heading", { name: "Welcome to Patchbay" }).waitFor();
  await page.getByRole("button", { name: "Skip for now" }).click();
  await page.getByRole("button", { name: "Install Guard" }).waitFor();
  await shoot("welcome");
}

/** More agents, so that the matrix has something to show, and a team's catalogue for Discover. */
export async function furnishMore(home: string, sources: Sources): Promise<void> {
  await ask(home, "PATCH", "/settings", sources.settings);
  for (const [name, keys] of [
    ["Research", ["careful", "weather"]],
    ["Support", ["careful", "mailbox"]],
    ["Translator", ["guard"]],
  ] as const) {
    const agent = await ask<{ id: string }>(home, "POST", "/agents", { name });
    for (const key of keys) await ask(home, "PUT", `/agents/${agent.id}/plugins/${key}`, { enabled: true });
  }
}

export async function takeMore(page: Page, shoot: Shoot): Promise<void> {
  await page.getByRole("link", { name: "Matrix" }).click();
  await page.getByRole("grid").waitFor();
  await page.getByRole("switch", { name: /^Switch Mailbox off for Helper/ }).focus();
  await shoot("matrix");

  await page.getByRole("link", { name: "Discover", exact: true }).click();
  await page.getByRole("article").nth(4).waitFor();
  await shoot("discover");
  await page.getByRole("searchbox").fill("calendar 0");
  await page.getByRole("link", { name: "Calendar 0", exact: true }).click();
  await page.getByRole("button", { name: "Install 1.0.0" }).waitFor();
  await shoot("result");
  await page.getByRole("link", { name: "Plugins", exact: true }).click();
  await page.getByRole("heading", { name: "Plugins", exact: true }).waitFor();
}
