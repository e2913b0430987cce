import { expect, pluginFolder, test } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";

test("a message that a plugin drops stays, with who dropped it and why, and what it makes a command runs", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.sieve);
  await app.set("sieve", { enabled: true });
  await app.script([{ say: "Good morning." }]);
  const panel = await app.openConversation();
  const log = panel.getByRole("log");
  const expectAll = async () => {
    await expect(log.getByText("You won the lottery")).toBeVisible();
    await expect(log.getByText("Sieve dropped this message: It is about a lottery.")).toBeVisible();
    await expect(log.getByText("Sieve dropped this message.", { exact: true })).toBeVisible();
    await expect(log.getByText("Sieve made this a command.")).toBeVisible();
    await expect(log.getByText("Nothing was sorted today.")).toBeVisible();
    await expect(log.getByText("Good morning.")).toBeVisible();
    await expect(log.getByText("What did you sort?")).toHaveCount(1);
  };

  await app.send("You won the lottery");
  await expect(log.getByText("Sieve dropped this message: It is about a lottery.")).toBeVisible();
  await app.send("Go silently");
  await expect(log.getByText("Sieve dropped this message.", { exact: true })).toBeVisible();
  await app.send("What did you sort?");
  await expect(log.getByText("Nothing was sorted today.")).toBeVisible();
  await app.send("Hello");
  await expectAll();
  await expectNoViolationsInBoth(page, "a conversation with dropped messages");

  await page.reload();
  await expectAll();

  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(page.getByText("Sieve hat diese Nachricht verworfen: It is about a lottery.")).toBeVisible();
  await expect(page.getByText("Sieve hat daraus einen Befehl gemacht.")).toBeVisible();
});

test("slash commands of plugins are offered with their hints while one is typed", async ({ app }) => {
  await app.install(pluginFolder.sieve);
  await app.set("sieve", { enabled: true });
  await app.script([{ say: "Hello." }]);
  const panel = await app.openConversation();
  await panel.getByRole("textbox").fill("/so");
  const offered = panel.getByRole("option", { name: /\/sorted/ });
  await expect(offered).toContainText("[day]");
  await expect(offered).toContainText("Says what was sorted");
});

test("a command that Patchbay's own hides is told on the plugin's page, and its skill is listed", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.sieve);
  await app.set("sieve", { enabled: true });
  await app.openPlugin("Sieve", "Overview");
  await expect(
    page.getByText("The command /compact cannot be reached: Patchbay has a command of that name."),
  ).toBeVisible();
  await expect(page.getByText("/Help", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Skills" })).toBeVisible();
  await expect(page.getByText("How letters are sorted")).toBeVisible();
});
