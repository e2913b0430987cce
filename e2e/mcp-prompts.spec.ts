import { join } from "node:path";
import { serverFolder } from "../test/mcp/server-folder.ts";
import { type App, expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { look } from "./support/look.ts";

/** Switches a server of the tests on for the agent, and opens the conversation. */
async function withShelf(app: App, name: "shelf-legacy" | "shelf-raw" = "shelf-legacy", key = "shelf") {
  await app.install(await serverFolder(join(app.home, "..", `${key}-of-${Date.now()}`), name, { key }));
  await app.set(key, { enabled: true });
  await app.script([
    { say: "A fine book." },
    { call: { tool: `${key}__recommend` } },
    { call: { tool: `${key}__read_resource`, input: { uri: "shelf://notes" } } },
    { say: "There they are." },
  ]);
  return app.openConversation();
}

test("a prompt is called by its slash command, asks for what it needs, and becomes a message, all by the keyboard", async ({
  app,
}) => {
  const { page } = app;
  const panel = await withShelf(app);
  const message = page.getByRole("textbox", { name: /^Message to/ });
  await message.focus();
  await page.keyboard.type("/shelf:r");
  const option = panel.getByRole("option", { name: /\/shelf:review/ });
  // The server starts because somebody looks for commands.
  await expect(option).toContainText("<author> [book] [tone]");
  await page.keyboard.press("Enter");

  const form = page.getByRole("dialog", { name: "/shelf:review" });
  const author = form.getByRole("combobox", { name: "author" });
  await expect(author).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(form.getByText("The prompt needs this.")).toBeVisible();
  await page.keyboard.type("al");
  await expect(form.getByRole("option", { name: "Alan Turing" })).toBeVisible();
  await expectNoViolationsInBoth(page, "the form of a prompt");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(author).toHaveValue("Alan Turing");
  await page.keyboard.press("Tab");
  await expect(form.getByRole("option")).toHaveText(["Machinery", "Numbers"]);
  await page.keyboard.press("Escape");
  await expect(form.getByRole("option")).toHaveCount(0);
  await page.keyboard.type("Numbers");
  await page.keyboard.press("Enter");

  await expect(form).toBeHidden();
  const log = panel.getByRole("log");
  await expect(log.getByText('/shelf:review author="Alan Turing" book=Numbers')).toBeVisible();
  await expect(log.getByText("Here is Numbers by Alan Turing.")).toBeVisible();
  await expect(log.getByText("I have read it.")).toBeVisible();
  await expect(log.getByText("Now write a review.")).toBeVisible();
  await expect(log.getByRole("button", { name: "Open picture-1.png large" })).toBeVisible();
  await expect(log.getByText("A fine book.")).toBeVisible();
  await expectNoViolationsInBoth(page, "a message that was made of a prompt");

  await page.reload();
  await expect(panel.getByRole("log").getByText("Here is Numbers by Alan Turing.")).toBeVisible();

  // Typed at once: what is missing opens the form with what is there. The commands are read anew after the reload.
  await message.fill("/shelf:r");
  await expect(option).toBeVisible();
  await app.send("/shelf:review tone=kind");
  await expect(form.getByRole("combobox", { name: "tone" })).toHaveValue("kind");
  await expect(author).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();
  await expect(message).toHaveValue("/shelf:review tone=kind");
  await message.fill("/help");
  await page.keyboard.press("Enter");
  await expect(log.getByText(/\/shelf:help: Not the help of Patchbay\./)).toBeVisible();

  await app.openPlugin("shelf", "Overview");
  await expect(page.getByText("Prompts 2", { exact: true })).toBeVisible();
  await expect(
    page.getByText("You call them in the conversation with /shelf: and their name."),
  ).toBeVisible();
  await expectNoViolationsInBoth(page, "a plugin with prompts and resources");

  // By hand, in Debug, it is the same.
  await app.goTo("/agents/helper/debug/commands");
  await page
    .getByRole("list", { name: "Slash commands" })
    .getByRole("button", { name: /shelf:help/ })
    .click();
  await page.getByText("In none", { exact: true }).click();
  await page.getByRole("button", { name: "Run /shelf:help" }).click();
  await expect(page.getByRole("region", { name: "What it answered" })).toContainText("A fine book.");
});

test("what plugins can read is found, attached, and read when the message is sent; what cannot be read is said, and nothing is lost", async ({
  app,
}) => {
  const { page } = app;
  const panel = await withShelf(app);
  await panel.getByRole("button", { name: "Attach from plugins" }).click();
  const picker = page.getByRole("dialog", { name: "Attach from plugins" });
  await expect(picker.getByRole("button", { name: /^Notes/ })).toBeVisible();
  await picker.getByRole("searchbox").fill("note shelf");
  await expect(picker.getByRole("button", { name: /cover/ })).toBeHidden();
  await picker.getByRole("button", { name: /^Notes/ }).click();
  await expect(picker.getByRole("button", { name: /^Notes/ })).toHaveAttribute("aria-pressed", "true");
  await picker.getByRole("searchbox").fill("");
  await picker.getByRole("button", { name: /^A book/ }).click();
  await picker.getByRole("combobox", { name: "author" }).fill("ad");
  await picker.getByRole("option", { name: "Ada Lovelace" }).click();
  await picker.getByRole("combobox", { name: "book" }).focus();
  await picker.getByRole("option", { name: "Notes" }).click();
  await expect(picker.getByText("shelf://books/Ada%20Lovelace/Notes")).toBeVisible();
  await expectNoViolationsInBoth(page, "what plugins can read");
  await picker.getByRole("button", { name: "Attach", exact: true }).click();
  await picker.getByRole("button", { name: /^Lost/ }).click();
  await expect(picker.getByText("3 attached")).toBeVisible();
  await picker.getByRole("button", { name: "Done" }).click();

  const attached = panel.getByRole("list", { name: "Files of this message" });
  await expect(attached.getByRole("listitem")).toHaveText([
    /Notes/,
    /A book \(Ada Lovelace, Notes\)/,
    /Lost/,
  ]);
  await app.send("What do they say?");
  await expect(panel.getByRole("alert")).toContainText("Lost of shelf cannot be read");
  const message = page.getByRole("textbox", { name: /^Message to/ });
  await expect(message).toHaveValue("What do they say?");
  await expect(attached.getByRole("listitem")).toHaveCount(3);
  await attached.getByRole("button", { name: "Take Lost away" }).click();
  await page.keyboard.press("Tab");
  await app.send("What do they say?");

  const log = panel.getByRole("log");
  await expect(log.getByText("A fine book.")).toBeVisible();
  await expect(log.getByText("A book (Ada Lovelace, Notes)")).toBeVisible();
  await expect(log.getByText("What do they say?")).toBeVisible();
  await expect(log.getByText("One and one is two.")).toBeHidden();
  await expect(panel.getByRole("alert")).toBeHidden();
  await expectNoViolationsInBoth(page, "a message with what plugins read");

  const [session] = await app.ask<{ id: string }[]>("GET", "/agents/helper/sessions");
  const entries = await app.ask<{ type: string; text?: string }[]>(
    "GET",
    `/agents/helper/sessions/${session?.id}`,
  );
  const sent = entries.find(({ type }) => type === "user")?.text;
  expect(sent).toContain("One and one is two.");
  expect(sent).toContain("The text of shelf://books/Ada Lovelace/Notes");

  // The agent reads by itself where that is switched on, and what a result points to is attached with one press.
  await app.goTo("/agents/helper/tools");
  const tool = page.getByRole("article", { name: "shelf.read_resource" });
  await expect(tool.getByText("Reads what shelf has at an address.")).toBeVisible();
  await expect(tool.getByText("Switched off for this agent.")).toBeVisible();
  const prompts = page.getByRole("article", { name: "shelf.prompts" });
  await expect(
    prompts.getByText("Fills in a prompt of shelf for another program.", { exact: true }),
  ).toBeVisible();
  await tool.getByRole("switch", { name: "Offer shelf.read_resource to the agent" }).click();
  await expect(tool.getByText("Switched off for this agent.")).toBeHidden();
  await app.send("What else?");
  // What is Patchbay's own is said in its words, and in no plugin's.
  for (const [name, words] of [
    ["shelf.recommend", "shelf says of it: “Points to something to read.”"],
    ["shelf.read_resource", "Reads what shelf has at an address."],
  ]) {
    const asks = panel.getByRole("region", { name: `Approval for ${name}` });
    await expect(asks.getByText(words ?? "", { exact: true })).toBeVisible();
    await asks.getByRole("button", { name: "Allow once" }).click();
  }
  await expect(log.getByText("There they are.")).toBeVisible();
  const links = log.getByRole("list", { name: "What the result points to" });
  await links.getByRole("button", { name: "Attach Engines" }).click();
  await expect(links.getByRole("button", { name: "Attached: Engines" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(attached.getByRole("listitem")).toHaveText([/Engines/]);
  await look(page, "points-to");
  await expectNoViolationsInBoth(page, "what a result points to");
});

test("5,000 of them are searched without a wait, and what they say is no page", async ({ app }) => {
  const { page } = app;
  const panel = await withShelf(app, "shelf-raw", "odd");
  await panel.getByRole("button", { name: "Attach from plugins" }).click();
  const picker = page.getByRole("dialog", { name: "Attach from plugins" });
  await expect(picker.getByText("4800 more. Type to find them.")).toBeVisible();
  await picker.getByRole("searchbox").fill("entry 4321");
  await expect(picker.getByRole("listitem")).toHaveCount(1);
  await picker.getByRole("searchbox").fill("many://2");
  await picker.getByRole("button", { name: /^Entry 2 / }).click();
  await picker.getByRole("button", { name: "Done" }).click();
  await app.send("Look.");
  await expect(panel.getByRole("log").getByText("A fine book.")).toBeVisible();
  await expect(page.locator("script", { hasText: "alert(1)" })).toHaveCount(0);

  // What is being read is stopped, and stands in the field again.
  await app.send("/odd:silent");
  await panel.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("textbox", { name: /^Message to/ })).toHaveValue("/odd:silent");
  await expect(panel.getByRole("alert")).toHaveCount(0);
});
