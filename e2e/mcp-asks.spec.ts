import { join } from "node:path";
import { serverFolder } from "../test/mcp/server-folder.ts";
import { type App, expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { look } from "./support/look.ts";

/** A server that asks, switched on; its tools are called without a question. */
async function open(app: App, name: "asks-legacy" | "asks-modern", key = "asker"): Promise<void> {
  await app.install(await serverFolder(join(app.home, key), name, { key }));
  await app.set(key, { enabled: true });
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "*", effect: "allow" }] });
}

/** Lets the agent call a tool in a conversation; the card of the question that comes. */
async function asked(app: App, tool: string, input: object = {}, key = "asker") {
  await app.script([{ call: { tool: `${key}__${tool}`, input } }, { say: "That is done." }]);
  const panel = await app.openConversation();
  await app.send("Go on");
  const question = app.page.getByRole("form", { name: `Question of ${key}` }).last();
  await expect(question).toBeVisible();
  return { panel, question };
}

/** What the tool got as its answer. */
async function result(app: App, tool: string, key = "asker"): Promise<unknown> {
  const call = app.page.getByRole("article", { name: `Tool call ${key}.${tool}` });
  await expect(call).toHaveAttribute("data-outcome", "executed");
  const [session] = await app.ask<{ id: string }[]>("GET", "/agents/helper/sessions");
  const entries = await app.ask<unknown>("GET", `/agents/helper/sessions/${session?.id}`);
  return JSON.stringify(entries);
}

test("a form is filled in by the keyboard; what does not fit is said at its field", async ({ app }) => {
  const { page } = app;
  await open(app, "asks-modern");
  const { panel, question } = await asked(app, "book");
  await expect(question.getByText("asker asks")).toBeVisible();
  await expect(question.getByText("tool asker.book")).toBeVisible();
  await expect(question.getByText("Which trip?")).toBeVisible();
  await expect(question.getByRole("textbox", { name: "Seats" })).toHaveValue("2");
  await expect(question.getByRole("switch", { name: "At the window" })).toBeChecked();
  await expect(question.getByRole("radio", { name: "Second" })).toBeChecked();
  await look(page, "asks-form");
  await expectNoViolationsInBoth(page, "a form of a plugin");

  const name = question.getByRole("textbox", { name: "Your name" });
  await name.focus();
  await page.keyboard.type("A");
  await page.keyboard.press("Tab");
  await expect(name).toHaveAccessibleDescription(/At least 2 characters/);
  await page.keyboard.type("nobody");
  await page.keyboard.press("Enter");
  // The first field that does not fit has the focus.
  await expect(name).toBeFocused();
  await expect(question.getByText("Choose at least one")).toBeVisible();
  await look(page, "asks-form-wrong-dark");
  await expectNoViolationsInBoth(page, "a form of a plugin with faults");

  await page.keyboard.press("End");
  await page.keyboard.type("da");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("ada@example.com");
  const seats = question.getByRole("textbox", { name: "Seats" });
  await seats.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("five");
  await page.keyboard.press("Tab");
  await expect(seats).toHaveAccessibleDescription("Must be a number");
  await seats.fill("3");
  await question.getByRole("switch", { name: "At the window" }).press("Space");
  await question.getByRole("radio", { name: "Second" }).press("ArrowLeft");
  await question.getByRole("checkbox", { name: "A rug" }).press("Space");
  await name.press("Enter");

  await expect(question).toHaveCount(0);
  await expect(panel.getByText("That is done.")).toBeVisible();
  const said = await result(app, "book");
  expect(said).toContain("ada@example.com");
  for (const part of ["seats", "window", "rug"]) expect(said).toContain(part);
});

test("a form is declined, and the plugin hears that", async ({ app }) => {
  await open(app, "asks-legacy");
  const { panel, question } = await asked(app, "book");
  await question.getByRole("button", { name: "Decline" }).click();
  await expect(panel.getByText("That is done.")).toBeVisible();
  expect(await result(app, "book")).toContain("decline");
});

test("a plugin that asks for a key is shown in red, and Enter declines", async ({ app }) => {
  const { page } = app;
  await open(app, "asks-legacy");
  const { panel, question } = await asked(app, "key");
  await expect(question.getByText(/^Plugins may not ask for secrets here/)).toBeVisible();
  await look(page, "asks-secret");
  await expectNoViolationsInBoth(page, "a form that asks for a secret");
  await look(page, "asks-secret-dark");
  await question.getByRole("textbox", { name: "Your API key" }).fill("sk-123");
  await page.keyboard.press("Enter");
  await expect(panel.getByText("That is done.")).toBeVisible();
  const said = await result(app, "key");
  expect(said).toContain("decline");
  expect(said).not.toContain("sk-123");
});

test("a page is opened by the person's press alone, with its whole address before that", async ({ app }) => {
  const { page } = app;
  await open(app, "asks-modern");
  // Nothing of the page is asked for before the press; then it is answered here.
  const loaded: string[] = [];
  await page.context().route(/xn--e1awd7f\.example/, async (route) => {
    loaded.push(route.request().url());
    await route.fulfill({ contentType: "text/html", body: "<title>Sign</title>" });
  });
  const url = "https://xn--e1awd7f.example/sign?for=ada";
  const { panel, question } = await asked(app, "page", { url });
  await expect(question.getByText(url)).toBeVisible();
  await expect(question.locator("strong", { hasText: /^xn--e1awd7f\.example$/ })).toBeVisible();
  await expect(question.getByText(/letters/)).toBeVisible();
  await look(page, "asks-page");
  await expectNoViolationsInBoth(page, "a page that a plugin wants opened");
  await look(page, "asks-page-dark");
  expect(loaded).toEqual([]);
  const opening = page.waitForEvent("popup");
  await question.getByRole("button", { name: "Open in the browser" }).click();
  const opened = await opening;
  await expect(opened).toHaveTitle("Sign");
  expect(loaded).toEqual([url]);
  await opened.close();
  await question.getByRole("button", { name: "I have finished" }).click();
  await expect(panel.getByText("That is done.")).toBeVisible();
  expect(await result(app, "page")).toContain("accept");
});

test("a form without fields is agreed to", async ({ app }) => {
  await open(app, "asks-modern");
  const { panel, question } = await asked(app, "sure");
  await question.getByRole("button", { name: "Agree" }).click();
  await expect(panel.getByText("That is done.")).toBeVisible();
  expect(await result(app, "sure")).toContain("accept");
});
