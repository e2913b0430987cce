import type { Page } from "@playwright/test";
import { expect, test } from "../support/app.ts";
import { Sources } from "../support/sources.ts";

const openDiscover = async (page: Page) => {
  await page.getByRole("link", { name: "Discover", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Discover", exact: true })).toBeVisible();
};
const search = (page: Page) => page.getByRole("searchbox", { name: "Search plugins" });
const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

test("a mistyped name leads to what was meant, and never to a package that nobody knows", async ({ app }) => {
  await using sources = await Sources.open();
  await app.ask("PATCH", "/settings", { registry: sources.settings.registry });
  const { page } = app;
  await openDiscover(page);

  await test.step("Discover asks whether a near name was meant", async () => {
    await search(page).fill("telegarm");
    await expect(page.getByText("Did you mean Telegram?")).toBeVisible();
    const meant = page.getByRole("main").getByRole("link", { name: /^Telegram/ });
    await meant.click();
    await expect(page.getByRole("heading", { name: "Telegram", exact: true })).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Discover" }).click();
  });

  await test.step("a package of exactly that name is no plugin, no result and no orange button", async () => {
    sources.foreign.add("telegarm");
    await search(page).fill("telegar");
    await search(page).fill("telegarm");
    const note = page.getByRole("note");
    await expect(note).toContainText("Not known to Patchbay: a package of npm’s registry named “telegarm”.");
    await expect(page.getByText("Did you mean Telegram?")).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(0);
    await expect(page.getByRole("status").filter({ hasText: "0 plugins" })).toBeVisible();
    const ground = (element: Element) => getComputedStyle(element).backgroundColor;
    const add = page.getByRole("button", { name: "Add “telegarm”" });
    const plain = page.getByRole("button", { name: "Show everything" });
    expect(await add.evaluate(ground)).toBe(await plain.evaluate(ground));

    await note.getByRole("link", { name: "Look at telegarm" }).click();
    await expect(page.getByRole("note")).toContainText("It does not say that it is a plugin.");
    await page.getByRole("main").getByRole("link", { name: "Discover" }).click();
  });

  await test.step("the dialog says the same, and means ours by the name of ours", async () => {
    await page.getByRole("button", { name: "Add by name or address" }).click();
    const dialog = page.getByRole("dialog");
    const name = dialog.getByRole("textbox", { name: "Name, path or address of a plugin" });
    await name.fill("telegarm");
    await expect(dialog.getByText("Did you mean Telegram?")).toBeVisible();
    await expect(dialog.getByText(/Not known to Patchbay: a package/)).toBeVisible();
    await name.fill("telegram");
    await expect(dialog.getByRole("button", { name: /^Telegram/, pressed: true })).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("a result says by what it was found", async () => {
    await search(page).fill("bot");
    await expect(card(page, "Telegram").locator("mark").first()).toHaveText("bot");
    await search(page).fill("hooks");
    await expect(card(page, "Guard")).toContainText("Matches: Hooks");
  });

  await test.step("the same in German", async () => {
    await app.ask("PATCH", "/settings", { language: "de" });
    const field = page.getByRole("searchbox", { name: "Plugins suchen" });
    await field.fill("kanäle");
    await expect(card(page, "Telegram")).toContainText("Passt wegen: Kanäle");
    await field.fill("kanal");
    await expect(card(page, "Telegram")).toContainText("Passt wegen: Kanal");
    await field.fill("singal");
    await expect(page.getByText("Meinten Sie Signal?")).toBeVisible();
  });
});
