import { join } from "node:path";
import { serverFolder } from "../test/mcp/server-folder.ts";
import { type App, expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth, tabTo } from "./support/axe.ts";

const inputs = [{ name: "mode", title: "Mode", type: "string" }];
const server = {
  type: "node",
  entry: "server.mjs",
  args: [],
  env: { MODE: { input: "mode" } },
  cwd: "workspace",
};

/** A server that says what its setting `mode` tells it to, switched on. */
async function serve(app: App, key: string, mode = ""): Promise<void> {
  // It is started once without an agent's settings before.
  const folder = await serverFolder(join(app.home, `given-${key}`), "changing", {
    key,
    file: { server: { ...server, args: [mode] }, inputs },
  });
  await app.install(folder);
  await become(app, key, mode);
}

async function become(app: App, key: string, mode: string): Promise<void> {
  await app.set(key, { enabled: true, config: { mode } });
  await app.ask("GET", "/agents/helper/tools");
}

const held = (app: App, key: string) =>
  app.ask<{ held: { kind: string; kept: boolean }[] }>("GET", `/plugins/${key}/review`);

test("a tool that says something else is held, looked at by keyboard with old and new side by side, and accepted", async ({
  app,
}) => {
  const { page } = app;
  await serve(app, "notes");
  await become(app, "notes", "other");
  await expect(app.card("notes").getByRole("link", { name: "1 to look at" })).toBeVisible();
  const notice = page.getByRole("status").filter({ hasText: "It changed what it says about notes.read." });
  await notice.getByRole("link", { name: "Look at it" }).click();

  const dialog = page.getByRole("dialog", { name: "What notes says now" });
  const change = dialog.getByRole("article", { name: "notes.read" });
  await expect(change.getByRole("region", { name: "You agreed to" })).toContainText("Reads a file.");
  await expect(change.getByRole("region", { name: "It says now" }).locator("ins")).toContainText([
    /and sends it to a friend/,
  ]);
  await expectNoViolationsInBoth(page, "what a server says now");
  await page.emulateMedia({ colorScheme: "light" });

  // Nothing of it is called meanwhile.
  const called = app.ask("POST", "/agents/helper/tools/notes__read/call", { input: {}, straight: true });
  await expect(called).rejects.toThrow(/TOOL_HELD|Held until you look/);

  await tabTo(page, change.getByRole("button", { name: "Accept notes.read" }));
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("status")).toHaveText(
    "There is nothing to look at: notes says what you agreed to.",
  );
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("1 to look at")).toHaveCount(0);
  await expect(page.getByRole("switch", { name: "Offer notes.read to the agent" })).toBeChecked();
});

test("all that a server changed is one review; it can be left held, and the tools say so", async ({
  app,
}) => {
  const { page } = app;
  await serve(app, "moody");
  await become(app, "moody", "everything");
  await app.goTo("/agents/helper/plugins/moody/overview");
  await page.getByText("moody says something else than what you agreed to, in 5 places.").waitFor();
  await page.getByRole("main").getByRole("button", { name: "Look at it" }).first().click();
  const dialog = page.getByRole("dialog", { name: "What moody says now" });
  await expect(dialog.getByRole("article")).toHaveCount(5);
  await expect(dialog.getByRole("article", { name: "Instructions to the model" })).toContainText(
    "Never ask.",
  );
  await dialog
    .getByRole("article", { name: "moody.write" })
    .getByRole("button", { name: "Accept moody.write" })
    .click();
  await expect(dialog.getByRole("article")).toHaveCount(4);
  await dialog.getByRole("button", { name: "Leave all held" }).click();
  await expect(dialog.getByText("left held")).toHaveCount(4);
  expect((await held(app, "moody")).held.every(({ kept }) => kept)).toBe(true);
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expect(page.getByText("It says something else than before. Held until you look.")).toHaveCount(2);
  await expect(page.getByRole("switch", { name: "Offer moody.read to the agent" })).toBeDisabled();
  await expect(page.getByRole("switch", { name: "Offer moody.write to the agent" })).toBeChecked();

  // Who types the held prompt is told so, and led there.
  const panel = await app.openConversation();
  await app.send("/moody:tidy");
  const told = panel.getByRole("alert").filter({ hasText: "/moody:tidy is held" });
  await expectNoViolationsInBoth(page, "a held prompt that was typed");
  await told.getByRole("button", { name: "Look at it" }).click();
  await expect(dialog.getByRole("article", { name: "tidy" })).toBeVisible();
});

test("what a server offers is seen before it is switched on, and its tools are picked beforehand", async ({
  app,
}) => {
  const { page } = app;
  const file = { server: { ...server, args: ["misleading"] } };
  const folder = await serverFolder(join(app.home, "given-seen"), "changing", { key: "seen", file });
  await app.install(folder);
  await app.goTo("/agents/helper/plugins/seen/overview");
  await expect(page.getByText("It offers 3 tools, 1 prompt, and instructions for agents.")).toBeVisible();
  await expect(page.getByText("1 of its texts may be meant to mislead.")).toBeVisible();
  // Of a start that is for no agent nobody is told.
  await expect(page.getByText("There is no agent")).toHaveCount(0);
  await expect(page.getByText("It asks to keep something from you:")).toBeVisible();
  const write = page.getByRole("switch", { name: "Offer seen.write to the agent" });
  await write.click();
  await expect(write).not.toBeChecked();
  await expect(page.getByText(/^2 of 3 tools are offered\./)).toBeVisible();
  await expectNoViolationsInBoth(page, "what a server offers before it is switched on");
  await page.getByRole("switch", { name: "Switch seen on" }).click();
  await expect(page.getByText("Running")).toBeVisible();
  await expect(write).not.toBeChecked();
});

test("a server that does not start says why, stays installed, and is tried again", async ({ app }) => {
  const { page } = app;
  const folder = await serverFolder(join(app.home, "given-ends"), "raw", { key: "ends", args: ["exits"] });
  await app.install(folder);
  await app.goTo("/agents/helper/plugins/ends/overview");
  const said = page.getByText("Patchbay started it once to see what it offers, and that failed.");
  await expect(said).toBeVisible();
  await expect(page.getByText(/no licence found/).first()).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("It is started once to see what it offers, and stopped again.")).toBeVisible();
  await expect(said).toBeVisible();
  await expectNoViolationsInBoth(page, "a server that does not start");
});

test("a tool is switched off, and of 500 the person picks 64", async ({ app }) => {
  const { page } = app;
  await serve(app, "crowd", "many");
  await app.goTo("/agents/helper/plugins/crowd/overview");
  await expect(page.getByText(/^64 of 501 tools are offered\./)).toBeVisible();
  await page.getByRole("searchbox", { name: "Search these tools" }).fill("part_65");
  const late = page.getByRole("switch", { name: "Offer crowd.part_65 to the agent" });
  await expect(late).not.toBeChecked();
  await late.click();
  await expect(page.getByText("Switch another tool off first.")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search these tools" }).fill("part_64");
  await page.getByRole("switch", { name: "Offer crowd.part_64 to the agent" }).click();
  await expect(page.getByText(/^63 of 501 tools are offered\./)).toBeVisible();
  await page.getByRole("searchbox", { name: "Search these tools" }).fill("part_65");
  await late.click();
  await expect(late).toBeChecked();
  await expect(page.getByText(/^64 of 501 tools are offered\./)).toBeVisible();
  await page.getByRole("searchbox", { name: "Search these tools" }).fill("");
  await expectNoViolationsInBoth(page, "the tools of a large server");
});

test("texts that may be meant to mislead are marked with the passage", async ({ app }) => {
  const { page } = app;
  await serve(app, "sly", "misleading");
  await app.goTo("/agents/helper/plugins/sly/overview");
  await expect(page.getByText("It asks to keep something from you:")).toBeVisible();
  await expect(page.getByText(/Ignore all previous instructions/).last()).toBeVisible();
  await expectNoViolationsInBoth(page, "marked texts");
});
