import type { Locator } from "@playwright/test";
import { Ngircd } from "../../test/channels/irc/ngircd.ts";
import { Prosody } from "../../test/channels/xmpp/prosody.ts";
import { DiscordPerson } from "../../test/support/platforms/discord/person.ts";
import { DiscordServer } from "../../test/support/platforms/discord/server.ts";
import { person } from "../../test/support/platforms/signal/accounts.ts";
import { SignalServer } from "../../test/support/platforms/signal/server.ts";
import { SlackPerson } from "../../test/support/platforms/slack/person.ts";
import { SlackServer } from "../../test/support/platforms/slack/server.ts";
import { TelegramPerson } from "../../test/support/platforms/telegram/person.ts";
import { TelegramServer } from "../../test/support/platforms/telegram/server.ts";
import { WeChatServer } from "../../test/support/platforms/wechat/server.ts";

/** What a person does in the dialog of a setup. */
export interface ChannelWizard {
  dialog: Locator;
  /** Resolves when the page with this heading is shown. */
  heading(text: string): Promise<void>;
  press(label: string | RegExp): Promise<void>;
  /** Fills fields by their labels and goes on. */
  fill(values: Record<string, string>): Promise<void>;
  shoot(step: string): Promise<void>;
}

interface ChannelSetupPictures {
  key: string;
  name: string;
  /** From the first page until it is connected. Resolves with what stops the platform. */
  take(wizard: ChannelWizard): Promise<() => Promise<void>>;
}

export const channelSetups: readonly ChannelSetupPictures[] = [
  { key: "telegram", name: "Telegram", take: telegram },
  { key: "slack", name: "Slack", take: slack },
  { key: "discord", name: "Discord", take: discord },
  { key: "wechat", name: "WeChat", take: wechat },
  { key: "signal", name: "Signal", take: signal },
  { key: "irc", name: "IRC", take: irc },
  { key: "xmpp", name: "XMPP", take: xmpp },
];

async function telegram(wizard: ChannelWizard) {
  const token = `70010001:${"A".repeat(35)}`;
  const server = await TelegramServer.open();
  const bot = server.addBot({ token });
  const ada = new TelegramPerson(server, { id: 11, name: "Ada" });
  await wizard.heading("Your bot");
  await wizard.shoot("first");
  const api = { "Bot API server": server.apiRoot };
  await wizard.fill({ "Bot token": "xoxb-1234-5678-abcdefgh" });
  await wizard.dialog.getByRole("alert").waitFor();
  await wizard.shoot("wrong");
  await wizard.fill({ "Bot token": token, ...api });
  await wizard.heading("Who is the owner?");
  await wizard.shoot("owner");
  await wizard.press(/^Me, on my phone/);
  await wizard.dialog.getByRole("img", { name: "QR code of Telegram" }).waitFor();
  await wizard.shoot("phone");
  await wizard.press("Can't scan? Use a link instead");
  const link = await wizard.dialog.getByRole("link", { name: "Open the page" }).getAttribute("href");
  ada.says(bot, `/start ${new URL(link ?? "").searchParams.get("start")}`);
  await wizard.heading("In which groups?");
  await wizard.shoot("groups");
  await wizard.press("In none, go on");
  return () => server[Symbol.asyncDispose]();
}

async function slack(wizard: ChannelWizard) {
  const tokens = { botToken: `xoxb-1-2-${"a".repeat(24)}`, appToken: `xapp-1-A0-${"b".repeat(24)}` };
  const server = await SlackServer.open(tokens);
  const ada = new SlackPerson(server, "ada");
  await wizard.heading("An app for your workspace");
  await wizard.shoot("first");
  await wizard.press("Continue");
  await wizard.heading("The two tokens of the app");
  await wizard.shoot("tokens");
  await wizard.fill({
    "Bot token": tokens.botToken,
    "App-level token": tokens.appToken,
    "Address of Slack's API": server.apiUrl,
  });
  await wizard.heading("Where does it answer?");
  await wizard.shoot("channels");
  await wizard.fill({ "Member id of the owner": ada.user.id });
  return () => server[Symbol.asyncDispose]();
}

async function discord(wizard: ChannelWizard) {
  const token = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${"x".repeat(38)}`;
  const server = await DiscordServer.open({ token });
  const ada = new DiscordPerson(server, "ada");
  await wizard.heading("Your bot");
  await wizard.shoot("first");
  await wizard.fill({ "Bot token": token, "Address of Discord's API": server.apiUrl });
  await wizard.heading("Where does it answer?");
  await wizard.shoot("channels");
  await wizard.fill({ "User id of the owner": ada.user.id });
  return () => server[Symbol.asyncDispose]();
}

async function wechat(wizard: ChannelWizard) {
  const server = await WeChatServer.open();
  await wizard.heading("Your phone");
  await wizard.shoot("first");
  await wizard.fill({ "Address of the WeChat service": server.origin });
  await wizard.heading("Scan the code");
  await wizard.shoot("code");
  server.desk.scan("77");
  await wizard.dialog.getByLabel("Digits on the phone").waitFor();
  await wizard.shoot("digits");
  await wizard.fill({ "Digits on the phone": "77" });
  await wizard.dialog.getByText("Confirm it on the phone.").waitFor();
  await wizard.shoot("confirm");
  server.desk.confirm();
  return () => server[Symbol.asyncDispose]();
}

async function signal(wizard: ChannelWizard) {
  const server = await SignalServer.open();
  await wizard.heading("Server");
  await wizard.shoot("first");
  await wizard.fill({ "Address of the server": server.origin, "Your own number": "+491701234567" });
  await wizard.heading("Link the phone");
  await wizard.shoot("code");
  server.scan(person("Helper", "+491709876543"));
  return () => server[Symbol.asyncDispose]();
}

async function irc(wizard: ChannelWizard) {
  const server = await Ngircd.open();
  await wizard.heading("Network");
  await wizard.shoot("first");
  const network = { Server: "127.0.0.1", Encryption: "no", Nick: "helper" };
  await wizard.fill({ ...network, Port: "1" });
  await wizard.heading("People");
  await wizard.shoot("people");
  await wizard.fill({ Owners: "olga" });
  await wizard.dialog.getByRole("alert").waitFor();
  await wizard.shoot("wrong");
  await wizard.fill({ ...network, Port: String(server.port) });
  await wizard.heading("People");
  await wizard.fill({ Owners: "olga" });
  return () => server.close();
}

async function xmpp(wizard: ChannelWizard) {
  const server = await Prosody.open(["helper"]);
  await wizard.heading("Account");
  await wizard.shoot("first");
  await wizard.fill({
    Address: "helper@localhost",
    Password: "secret-of-helper",
    Server: `127.0.0.1:${server.port}`,
  });
  await wizard.heading("People");
  await wizard.shoot("people");
  await wizard.fill({ Owners: "olga@localhost" });
  return () => server.close();
}
