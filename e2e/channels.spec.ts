import { DiscordPerson } from "../test/support/platforms/discord/person.ts";
import { DiscordServer } from "../test/support/platforms/discord/server.ts";
import { SlackPerson } from "../test/support/platforms/slack/person.ts";
import { SlackServer } from "../test/support/platforms/slack/server.ts";
import { TelegramPerson } from "../test/support/platforms/telegram/person.ts";
import { TelegramServer } from "../test/support/platforms/telegram/server.ts";
import { type App, expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { expectConnected, installChannel, picture } from "./support/channel-setup.ts";
import type { WizardScreen } from "./support/wizard.ts";

// Each of them installs, sets up, talks and takes pictures.
test.describe.configure({ timeout: 120_000 });

async function install(app: App, name: string): Promise<WizardScreen> {
  await app.script([{ say: "**Hello** from the agent." }]);
  return installChannel(app, name);
}

test("Telegram: from the catalogue to connected, with the owner's phone", async ({ app }, testInfo) => {
  const token = `70010001:${"A".repeat(35)}`;
  await using server = await TelegramServer.open();
  const bot = server.addBot({ token });
  const ada = new TelegramPerson(server, { id: 11, name: "Ada" });
  const wizard = await install(app, "Telegram");
  const { dialog } = wizard;

  await expect(wizard.heading("Your bot")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Bot token" }).fill("xoxb-1234-5678-abcdefgh");
  await wizard.button("Continue").click();
  await expect(dialog.getByRole("alert")).toContainText("This is a bot token of Slack");
  await picture(app, testInfo, "telegram-wrong-token");
  await dialog.getByRole("textbox", { name: "Bot token" }).fill(token);
  await wizard.unfold();
  await dialog.getByRole("textbox", { name: /^Bot API server/ }).fill(server.apiRoot);
  await wizard.button("Continue").click();

  await expect(wizard.heading("Who is the owner?")).toBeVisible();
  await expect(dialog.getByText("Connected as @helper_bot.")).toBeVisible();
  await wizard.button(/^Me, on my phone/).click();
  await expect(dialog.getByRole("img", { name: "QR code of Telegram" })).toBeVisible();
  await picture(app, testInfo, "telegram-owner");
  const link = new URL((await wizard.scan()) ?? "");
  expect(link.pathname).toBe("/helper_bot");
  const team = ada.group(bot, { id: -1001, title: "Team" });
  ada.says(bot, "@helper_bot hello", { room: team });
  ada.says(bot, `/start ${link.searchParams.get("start")}`);
  await expect(wizard.heading("In which groups?")).toBeVisible();
  await wizard.button("Answer in “Team”").click();
  await expect(dialog.getByText("Chosen: Team.")).toBeVisible();
  await picture(app, testInfo, "telegram-groups");
  await wizard.button("Go on").click();

  await expectConnected(wizard, "Telegram", "@helper_bot");
  await picture(app, testInfo, "telegram-connected");
  ada.says(bot, "Are you there?");
  await expect.poll(() => ada.sees().map(({ text }) => text)).toContain("Hello from the agent.");
  await wizard.button("Done").click();
  await app.page.getByRole("link", { name: "Plugins", exact: true }).click();
  await expect(app.card("Telegram").getByText(/^Connected as @helper_bot · last message/)).toBeVisible();
  await expect
    .poll(async () => JSON.stringify(await app.ask("GET", "/agents/helper/plugins")))
    .not.toContain(token);

  // The token is revoked while it runs: the card offers to sign in again, and the rest of the settings stays.
  const fresh = bot.revoke();
  await app.card("Telegram").getByRole("button", { name: "Sign in again" }).click();
  await expect(dialog.getByText(/does not accept the bot's token any more/)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Bot token" }).fill(fresh);
  await wizard.unfold();
  await dialog.getByRole("textbox", { name: /^Bot API server/ }).fill(server.apiRoot);
  await wizard.button("Continue").click();
  await expectConnected(wizard, "Telegram", "@helper_bot");
});

test("Slack: an app from the manifest, two tokens, connected", async ({ app }, testInfo) => {
  const tokens = { botToken: `xoxb-1-2-${"a".repeat(24)}`, appToken: `xapp-1-A0-${"b".repeat(24)}` };
  await using server = await SlackServer.open(tokens);
  const ada = new SlackPerson(server, "ada");
  const team = ada.channel("team");
  ada.channel("board", "group");
  const wizard = await install(app, "Slack");
  const { dialog } = wizard;

  await expect(wizard.heading("An app for your workspace")).toBeVisible();
  const page = dialog.getByRole("link", { name: "Create the app at Slack" });
  const inLink = new URL((await page.getAttribute("href")) ?? "").searchParams.get("manifest_json") ?? "";
  const shown = await dialog.getByRole("region", { name: "App manifest" }).locator("pre").textContent();
  expect(JSON.parse(inLink)).toEqual(JSON.parse(shown ?? ""));
  expect(JSON.parse(shown ?? "")).toMatchObject({
    features: { slash_commands: [{ command: "/helper" }] },
    settings: { socket_mode_enabled: true },
  });
  await picture(app, testInfo, "slack-manifest");
  await wizard.button("Continue").click();

  await dialog.getByRole("textbox", { name: "Bot token" }).fill(tokens.botToken);
  await dialog.getByRole("textbox", { name: "App-level token" }).fill(`xapp-${"c".repeat(30)}`);
  await wizard.unfold();
  await dialog.getByRole("textbox", { name: /^Address of Slack's API/ }).fill(server.apiUrl);
  await wizard.button("Continue").click();
  await expect(dialog.getByRole("alert")).toContainText("Slack refused the app-level token");
  await dialog.getByRole("textbox", { name: "App-level token" }).fill(tokens.appToken);
  await dialog.getByRole("textbox", { name: "Bot token" }).fill(tokens.botToken);
  await picture(app, testInfo, "slack-tokens");
  await wizard.button("Continue").click();
  await expect(wizard.heading("Where does it answer?")).toBeVisible();
  await dialog.getByRole("checkbox", { name: "#team" }).check();
  await dialog.getByRole("checkbox", { name: /look again/ }).check();
  await wizard.button("Continue").click();
  await expect(dialog.getByRole("checkbox", { name: /look again/ })).not.toBeChecked();
  await expect(dialog.getByRole("checkbox", { name: "#team" })).toBeChecked();
  await expectNoViolationsInBoth(app.page, "picked channels");
  await picture(app, testInfo, "slack-channels");
  await wizard.unfold();
  await dialog.getByRole("textbox", { name: /^Member id/ }).fill(ada.user.id);
  await wizard.button("Continue").click();

  await expectConnected(wizard, "Slack", "@helper in Example Team");
  await picture(app, testInfo, "slack-connected");
  ada.says("Are you there?");
  await expect.poll(() => ada.sees().map(({ text }) => text)).toContain("*Hello* from the agent.");
  const kept = await app.ask<{ config: unknown }>("GET", "/agents/helper/plugins/slack");
  expect(JSON.stringify(kept)).toContain(team.id);

  await expect(dialog.getByText(/Whoever is not named yet is told a code/)).toBeVisible();
  await picture(app, testInfo, "slack-nobody-waits");
  new SlackPerson(server, "sam").says("Me too?");
  await expect(dialog.getByText("1 person waits to be let in")).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await app.page.emulateMedia({ colorScheme });
    await picture(app, testInfo, `slack-waits-${colorScheme}`);
  }
  await wizard.button("Let them in").click();
  await expect(app.page.getByRole("tab", { name: "People 1" })).toHaveAttribute("aria-selected", "true");
  await expect(app.page.getByRole("button", { name: "Allow as owner" })).toBeVisible();
  await picture(app, testInfo, "slack-people");
});

test("Discord: a bot that may not read yet, then connected", async ({ app }, testInfo) => {
  const token = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${"x".repeat(38)}`;
  await using server = await DiscordServer.open({ token });
  const ada = new DiscordPerson(server, "ada");
  const wizard = await install(app, "Discord");
  const { dialog } = wizard;

  await expect(wizard.heading("Your bot")).toBeVisible();
  server.messageContent = false;
  await dialog.getByRole("textbox", { name: "Bot token" }).fill(token);
  await wizard.unfold();
  await dialog.getByRole("textbox", { name: /^Address of Discord's API/ }).fill(server.apiUrl);
  await wizard.button("Continue").click();
  await expect(dialog.getByRole("alert")).toContainText("switch on Message Content Intent");
  await picture(app, testInfo, "discord-intent");
  server.messageContent = true;
  server.guilds.addChannel("team");
  server.botPermissions = null;
  await dialog.getByRole("textbox", { name: "Bot token" }).fill(token);
  await wizard.button("Continue").click();
  await expect(wizard.heading("Invite the bot")).toBeVisible();
  await picture(app, testInfo, "discord-invite");
  server.botPermissions = String(1024 + 2048 + 65_536);
  await expect(wizard.heading("Where does it answer?")).toBeVisible();
  await expect(
    dialog.getByText(/On Example guild it lacks these rights.*– Send Messages in Threads/s),
  ).toBeVisible();
  await picture(app, testInfo, "discord-lacks");
  server.botPermissions = "274878024768";
  await dialog.getByRole("checkbox", { name: /look again/ }).check();
  await wizard.button("Continue").click();
  await expect(dialog.getByText(/it lacks/)).toHaveCount(0);
  await dialog.getByRole("checkbox", { name: "#team" }).check();
  const invite = dialog.getByRole("link", { name: "Invite the bot to a server" });
  expect(await invite.getAttribute("href")).toContain(`client_id=${server.bot.id}`);
  await wizard.unfold();
  await dialog.getByRole("textbox", { name: /^User id/ }).fill(ada.user.id);
  await picture(app, testInfo, "discord-owner");
  server.gateway.behaviour.saysHello = false;
  await wizard.button("Continue").click();
  await expect(dialog.getByText("Running", { exact: true })).toBeVisible();
  await expect(wizard.heading("Discord is starting")).toBeVisible();
  await expect(dialog.getByText(/^Connected as/)).toHaveCount(0);
  server.gateway.behaviour.saysHello = true;
  server.gateway.cut();

  await expectConnected(wizard, "Discord", "@helper");
  await picture(app, testInfo, "discord-connected");
  ada.says("Are you there?");
  await expect.poll(() => ada.sees().map(({ content }) => content)).toContain("**Hello** from the agent.");
});
