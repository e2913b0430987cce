import { resolve } from "node:path";
import { TelegramPerson } from "../../test/support/platforms/telegram/person.ts";
import { TelegramServer } from "../../test/support/platforms/telegram/server.ts";
import { type App, expect, pluginFolder, test } from "../support/app.ts";
import { orangeButtons } from "../support/orange.ts";

test.describe.configure({ timeout: 120_000 });

const page = (...buttons: string[]) => [{ screen: "the page", buttons }];

/** Two calls of two agents wait for the person. */
async function twoCalls(app: App): Promise<Promise<unknown>[]> {
  await app.ask("POST", "/agents", { name: "Second" });
  return ["helper", "second"].map((agent) =>
    app.ask("POST", `/agents/${agent}/tools/shell/call`, { input: { command: `echo ${agent}` } }),
  );
}

test("of several calls that wait, one has the orange button, and when it is answered the next has", async ({
  app,
}) => {
  const calls = await twoCalls(app);
  await app.goTo("/agents/helper/approvals");
  const once = app.page.getByRole("button", { name: "Allow once" });
  await expect(once).toHaveCount(2);
  await expect.poll(() => orangeButtons(app.page)).toEqual(page("Allow once"));
  await once.first().click();
  await expect(once).toHaveCount(1);
  await expect.poll(() => orangeButtons(app.page)).toEqual(page("Allow once"));
  await once.click();
  await Promise.all(calls);
  await expect.poll(() => orangeButtons(app.page)).toEqual([]);
});

test("of several people who wait, the first has it", async ({ app }) => {
  await using server = await TelegramServer.open();
  const token = `70010001:${"A".repeat(35)}`;
  const bot = server.addBot({ token });
  await app.install(resolve("out/plugins/telegram"));
  await app.set("telegram", {
    enabled: true,
    config: { channel: { apiRoot: server.apiRoot } },
    secrets: { token },
  });
  for (const [index, name] of ["Sam", "Tom"].entries())
    new TelegramPerson(server, { id: 12 + index, name }).says(bot, "Are you there?");
  await expect(app.card("Telegram").getByText("2 people wait to be let in")).toBeVisible();
  await app.goTo("/agents/helper/plugins/telegram/people");
  await expect(app.page.getByRole("button", { name: "Allow", exact: true })).toHaveCount(2);
  await expect.poll(() => orangeButtons(app.page)).toEqual(page("Allow"));
});

test("what was begun goes first: a call beside an edited form leaves the orange to Save", async ({ app }) => {
  await app.install(pluginFolder.weather);
  await app.script([{ call: { tool: "shell", input: { command: "echo one" } } }, { say: "Done." }]);
  await app.openConversation();
  await app.send("One");
  await expect(app.page.getByRole("button", { name: "Allow once" })).toBeVisible();
  await app.goTo("/agents/helper/plugins/weather/settings");
  const save = app.page.getByRole("button", { name: "Save settings" });
  await expect(save).toBeDisabled();
  await expect.poll(() => orangeButtons(app.page)).toEqual(page("Allow once"));
  await app.page.getByRole("spinbutton").first().fill("5");
  await expect(save).toBeEnabled();
  await expect.poll(() => orangeButtons(app.page)).toEqual(page("Save settings"));
});

test("on the list of plugins, a call that waits beside it goes before adding a plugin", async ({ app }) => {
  await app.install(pluginFolder.weather);
  await expect(app.card("Weather")).toBeVisible();
  await expect.poll(() => orangeButtons(app.page)).toEqual(page("Add plugin"));
  await app.script([{ call: { tool: "shell", input: { command: "echo one" } } }, { say: "Done." }]);
  await app.openConversation();
  await app.send("One");
  await expect.poll(() => orangeButtons(app.page)).toEqual(page("Allow once"));
  await app.page.getByRole("button", { name: "Allow once" }).click();
  await expect.poll(() => orangeButtons(app.page)).toEqual(page("Add plugin"));
});

test("a dialog has a next step of its own beside the one of the page", async ({ app }) => {
  const calls = await twoCalls(app);
  await app.goTo("/agents/helper/approvals");
  await expect(app.page.getByRole("button", { name: "Allow once" })).toHaveCount(2);
  await app.page.getByRole("button", { name: /^Agent: / }).click();
  await app.page.getByRole("menuitem", { name: "Create agent" }).click();
  const dialog = app.page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expect
    .poll(() => orangeButtons(app.page))
    .toEqual(
      expect.arrayContaining([...page("Allow once"), { screen: "Create agent", buttons: ["Create agent"] }]),
    );
  await app.page.keyboard.press("Escape");
  const once = app.page.getByRole("button", { name: "Allow once" });
  await once.first().click();
  await expect(once).toHaveCount(1);
  await once.click();
  await Promise.all(calls);
});
