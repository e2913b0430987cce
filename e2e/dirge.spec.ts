import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

const fileOf = (name: string) => join(pluginFolder.dirge, `${name}.janet`);

/** Copies of plugins that may be edited, each linked and switched on. */
async function use(app: App, ...names: string[]): Promise<void> {
  for (const name of names) {
    const file = join(app.home, `${name}.janet`);
    await copyFile(fileOf(name), file);
    const job = await app.ask<{ id: string }>("POST", "/jobs", { spec: file, link: true, yes: true });
    await expect
      .poll(async () => (await app.ask<{ status: string }>("GET", `/jobs/${job.id}`)).status)
      .toBe("done");
    await app.set(name, { enabled: true });
  }
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "*", effect: "allow" }] });
}

test("a plugin of dirge is installed from its file; its card says what its source will do", async ({
  app,
}) => {
  const { page } = app;
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(fileOf("notes"));
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("heading", { name: "Install notes?" })).toBeVisible();
  await expect(dialog.getByText("dirge", { exact: true })).toBeVisible();
  await expect(dialog.getByText(/It is Janet code, which was read and not run/)).toBeVisible();
  await expect(dialog.getByText("File", { exact: true })).toBeVisible();
  await expect(dialog.getByText("Hooks 3")).toBeVisible();
  await expect(dialog.getByText("Tools 1")).toBeVisible();
  await expectNoViolationsInBoth(page, "the card of a plugin of dirge");
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "notes is installed" })).toBeVisible();
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  await expect(app.card("notes").getByText("Running", { exact: true })).toBeVisible();
  await app.openPlugin("notes", "Overview");
  const main = page.getByRole("main");
  await expect(main.getByText("notes.keep", { exact: true })).toBeVisible();
  await expect(main.getByText("/notes", { exact: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "the page of a plugin of dirge");
  await page.getByRole("tab", { name: "Permissions" }).click();
  const code = main.getByText("It may ask language servers about the code there (Settings, Code).");
  await main.getByRole("radio", { name: /^Read/ }).first().check();
  await expect(code).toBeVisible();
  await main
    .getByRole("radio", { name: /^Nothing of it/ })
    .first()
    .check();
  await expect(code).toHaveCount(0);
});

test("a call waits for the person's word while another plugin goes on answering, and is blocked by a no", async ({
  app,
}) => {
  const { page } = app;
  await use(app, "safety", "notes");
  await app.script([{ call: { tool: "shell", input: { command: "rm -r build" } } }, { say: "I left it." }]);
  const panel = await app.openConversation();
  await app.send("Clean up");
  const question = page.getByRole("form", { name: "Question of safety" }).last();
  await expect(question).toBeVisible();
  await expect(question.getByText(/The agent wants to run: rm -r build/)).toBeVisible();
  const kept = await app.ask<{ content: { text: string }[] }>(
    "POST",
    "/agents/helper/tools/notes__keep/call",
    {
      input: { text: "meanwhile" },
      yes: true,
    },
  );
  expect(kept.content[0]?.text).toBe("kept: meanwhile (1 of 1)");
  await question.getByRole("button", { name: "No", exact: true }).click();
  const blocked = panel.getByRole("article", { name: "Tool call shell" });
  await expect(blocked).toHaveAttribute("data-outcome", "vetoed");
  await expect(blocked.getByText("blocked by safety")).toBeVisible();
  await expect(panel.getByText("I left it.")).toBeVisible();
});

test("in a conversation a prompt is rewritten, a tool runs with its own hook after it, and a command answers", async ({
  app,
}) => {
  const { page } = app;
  await use(app, "notes");
  await app.script([{ call: { tool: "notes__keep", input: { text: "milk" } } }, { say: "Kept." }]);
  const panel = await app.openConversation();
  await app.send("Note milk secretly");
  await expect(panel.getByText("Note milk openly").last()).toBeVisible();
  const call = panel.getByRole("article", { name: "Tool call notes.keep" });
  await expect(call).toHaveAttribute("data-outcome", "executed");
  await call.getByText("Result", { exact: true }).click();
  await expect(call.getByText("kept: milk (1 of 1)").first()).toBeVisible();
  await expect(panel.getByText("Kept.", { exact: true })).toBeVisible();
  const box = page.getByRole("textbox", { name: /^Message to/ });
  await box.fill("/not");
  await expect(page.getByRole("option", { name: /notes/ })).toBeVisible();
  await app.send("/notes");
  await expect(panel.getByText("milk", { exact: true })).toBeVisible();
});

test("an edit of a linked file starts it anew; an error is shown with its file, line and form", async ({
  app,
}) => {
  const { page } = app;
  await use(app, "notes");
  await expect(app.card("notes").getByText("Running", { exact: true })).toBeVisible();
  const file = join(app.home, "notes.janet");
  const whole = await readFile(file, "utf8");
  await app.openPlugin("notes", "Overview");
  const main = page.getByRole("main");
  await writeFile(file, whole.replace('register-command "notes"', 'register-command "jottings"'));
  await expect(main.getByText("/jottings", { exact: true })).toBeVisible();
  await writeFile(file, `(defn greet [] (shout "hi"))\n${whole}`);
  await expect(
    main.getByText(/notes\.janet, line 1: unknown symbol shout — in \(defn greet/).first(),
  ).toBeVisible();
  await writeFile(file, whole);
  await expect(main.getByText("Running", { exact: true })).toBeVisible();
  await expect(main.getByText("/notes", { exact: true })).toBeVisible();
});

test("what a plugin leaves in a conversation is drawn as its renderers say, and is there after a reload", async ({
  app,
}) => {
  const { page } = app;
  await use(app, "journal");
  await app.script([
    { call: { tool: "shell", input: { command: "echo hi" } } },
    { say: "Echoed." },
    { say: "It went well." },
  ]);
  const panel = await app.openConversation();
  await app.send("Echo something");
  await expect(panel.getByText("Now say how it went.").first()).toBeVisible();
  await expect(panel.getByText("It went well.")).toBeVisible();
  await app.send("/journal");
  const shown = async () => {
    await expect(panel.getByText("✔ bash echo hi")).toBeVisible();
    await expect(panel.getByText("kept in the journal")).toBeVisible();
    await expect(panel.getByText("Journal: nothing is forgotten")).toBeVisible();
  };
  await shown();
  await expect(panel.getByText("2 calls so far")).toBeVisible();
  await page.reload();
  await shown();
});

test("a plugin forks the conversation, names a place of it, and begins another one", async ({ app }) => {
  const { page } = app;
  await use(app, "bookmarks");
  await app.script([{ say: "Bern." }, { say: "Basel." }]);
  const panel = await app.openConversation();
  const said = panel.getByRole("log");
  await app.send("The capital?");
  await expect(said.getByText("Bern.")).toBeVisible();
  await app.send("And the largest?");
  await expect(said.getByText("Basel.")).toBeVisible();
  const [session] = await app.ask<{ id: string }[]>("GET", "/agents/helper/sessions");
  const entries = await app.ask<{ type: string; id: string; text: string }[]>(
    "GET",
    `/agents/helper/sessions/${session?.id}`,
  );
  const largest = entries.find(({ type, text }) => type === "user" && text === "And the largest?");

  await app.send(`/mark ${largest?.id} cities`);
  await expect(said.getByText("It is called cities now.")).toBeVisible();
  await app.send(`/back ${largest?.id}`);
  await expect(said.getByText("Basel.")).toBeHidden();
  await expect(said.getByText("Bern.")).toBeVisible();
  await expect(panel.getByRole("textbox", { name: "Message to Helper" })).toHaveValue("And the largest?");

  await page.getByRole("link", { name: "Debug" }).click();
  await page.getByRole("tab", { name: "Tree" }).click();
  const tree = page.getByRole("list", { name: "Tree of the conversation" });
  await expect(tree.getByRole("listitem").filter({ hasText: "And the largest?" })).toContainText("cities");
  await expect(tree.getByRole("listitem").filter({ hasText: "Basel." })).toBeVisible();

  await app.send("/afresh");
  await expect(page.getByRole("log").getByText("Bern.")).toBeHidden();
  await expect.poll(async () => (await app.ask<unknown[]>("GET", "/agents/helper/sessions")).length).toBe(2);
  await app.send(`/back ${largest?.id}`);
  await expect(page.getByRole("log").getByText(/This conversation has no entry with the id/)).toBeVisible();
});
