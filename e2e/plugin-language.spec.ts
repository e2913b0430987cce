import type { AgentPluginView, SetupView } from "../src/contract/index.ts";
import { TelegramServer } from "../test/support/platforms/telegram/server.ts";
import { expect, test } from "./support/app.ts";
import { expectNoViolations, expectNoViolationsInBoth } from "./support/axe.ts";
import { picture } from "./support/channel-setup.ts";
import { WizardScreen } from "./support/wizard.ts";

test.describe.configure({ timeout: 120_000 });

test("a plugin's wizard, errors and settings are German on a German screen, from Discover on", async ({
  app,
}, testInfo) => {
  const { page } = app;
  await using server = await TelegramServer.open();
  await app.ask("PATCH", "/settings", { language: "de", welcomeClosed: true });
  await app.goTo("/agents/helper/discover");
  await expect(page.getByText("Spricht über Ihren Bot mit Menschen auf Telegram.")).toBeVisible();
  await app.install("builtin:telegram");
  await app.goTo("/agents/helper/plugins");
  await app.card("Telegram").getByRole("switch").click();

  const wizard = new WizardScreen(app);
  await expect(wizard.heading("Ihr Bot")).toBeVisible();
  await expect(wizard.dialog.getByText(/Öffnen Sie @BotFather und senden Sie ihm \/newbot/)).toBeVisible();
  await wizard.dialog.getByRole("textbox", { name: "Bot-Token" }).fill("xoxb-1234-5678-abcdefgh");
  await wizard.button("Weiter").click();
  await expect(wizard.dialog.getByRole("alert")).toContainText(
    "Das ist ein Bot-Token von Slack und keines eines Telegram-Bots.",
  );
  await expectNoViolations(page, "a wizard in German");
  await picture(app, testInfo, "telegram-german");

  // The same step in the other language, while it is open.
  await app.ask("PATCH", "/settings", { language: "en" });
  await expect(wizard.heading("Your bot")).toBeVisible();
  await expect(wizard.dialog.getByRole("alert")).toContainText("This is a bot token of Slack");
  await picture(app, testInfo, "telegram-english");
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(wizard.heading("Ihr Bot")).toBeVisible();
  const { id } = await app.ask<SetupView>("GET", "/agents/helper/plugins/telegram/setup");
  await app.ask("POST", "/agents/helper/plugins/telegram/setup/cancel", { sessionId: id });
  await page.reload();

  // What a running plugin reports, and what its settings are called.
  const config = {
    channel: {
      token: `70010001:${"A".repeat(35)}`,
      apiRoot: server.apiRoot,
      owners: ["1"],
      groups: ["-1001", "-1002"],
    },
  };
  await app.set("telegram", { config, enabled: true });
  await app.card("Telegram").getByRole("button", { name: "Einzelheiten" }).click();
  await expect(
    app
      .card("Telegram")
      .getByRole("paragraph")
      .filter({ hasText: /Das Token des Bots gilt nicht mehr/ }),
  ).toBeVisible();
  await app.goTo("/agents/helper/plugins/telegram/settings");
  await expect(page.getByText("Merken, was in Gruppen gesagt wird")).toBeVisible();
  await picture(app, testInfo, "telegram-settings-german");

  // A group gets rules of its own: it is chosen from the list of groups, and so is what holds there.
  const rooms = page.getByRole("group", { name: "Gruppen mit eigenen Regeln" });
  await rooms.getByRole("button", { name: "Hinzufügen" }).first().click();
  await rooms.getByRole("combobox", { name: /^Gruppe/ }).selectOption("-1002");
  await rooms.getByLabel("Worauf er antwortet").selectOption("Nur, wenn er erwähnt wird");
  await expect(rooms.getByText("Wer dort Antwort bekommt")).toBeHidden();
  await rooms.getByLabel("Wem er antwortet").selectOption("Besitzer und die hier genannten Personen");
  await rooms.getByRole("group", { name: "Wer dort Antwort bekommt" }).getByRole("button").click();
  await rooms.getByLabel("Eintrag 1", { exact: true }).fill("12");
  await rooms.getByLabel("Anweisungen für diese Gruppe").fill("Antworte hier kurz.");
  await rooms.scrollIntoViewIfNeeded();
  await expectNoViolationsInBoth(page, "rules of a room");
  await picture(app, testInfo, "telegram-room-rules-german");
  const saved = page.getByRole("region", { name: "Was sich beim Speichern ändert" });
  await expect(saved).toContainText("Gruppen mit eigenen Regeln › 1 › Worauf er antwortet");
  await expect(saved).toContainText("Nur, wenn er erwähnt wird");
  await page.getByRole("button", { name: "Einstellungen speichern" }).click();
  await expect
    .poll(async () => (await app.ask<AgentPluginView>("GET", "/agents/helper/plugins/telegram")).config)
    .toMatchObject({
      channel: {
        roomSettings: [
          {
            room: "-1002",
            answers: "mentioned",
            people: "these",
            users: ["12"],
            prompt: "Antworte hier kurz.",
          },
        ],
      },
    });
});
