import { runSetup } from "@patchbay/plugin-sdk/test";
import { expect, it } from "vitest";
import discord from "../../plugins/discord/src/index.ts";
import { settingsSchema as discordSettings } from "../../plugins/discord/src/settings.ts";
import german from "../../plugins/irc/locales/de.json" with { type: "json" };
import irc from "../../plugins/irc/src/index.ts";
import { settingsSchema as ircSettings } from "../../plugins/irc/src/settings.ts";
import slack from "../../plugins/slack/src/index.ts";
import { settingsSchema as slackSettings } from "../../plugins/slack/src/settings.ts";
import { DiscordServer } from "../support/platforms/discord/server.ts";
import { SlackPerson } from "../support/platforms/slack/person.ts";
import { SlackServer } from "../support/platforms/slack/server.ts";
import { ScriptedIrc } from "./irc/scripted-irc.ts";

interface State {
  kind: string;
  fields?: { key: string }[];
}

/** Types this, and names an owner only where one is given. */
function person(typed: Record<string, string>, owner?: string) {
  return ({ fields }: State) =>
    fields?.some(({ key }) => key === "owner") ? (owner === undefined ? {} : { owner }) : typed;
}

it("Slack: without an owner nobody is let in before somebody was asked", async () => {
  const tokens = { botToken: `xoxb-1-2-${"a".repeat(24)}`, appToken: `xapp-1-A0-${"b".repeat(24)}` };
  await using server = await SlackServer.open(tokens);
  const typed = { ...tokens, slackApiUrl: server.apiUrl };
  const open = await runSetup(slack, { answer: person(typed) });
  expect(open.config).toEqual(typed);
  const settings = slackSettings.parse(open.config);
  expect([settings.everyone, settings.strangers, settings.owners]).toEqual([false, "pair", []]);
  const ada = new SlackPerson(server, "ada").user.id;
  const { config } = await runSetup(slack, { answer: person(typed, ada) });
  expect(config).toEqual({ ...typed, owners: [ada] });
});

it("Discord: without an owner nobody is let in before somebody was asked", async () => {
  const token = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${"x".repeat(38)}`;
  await using server = await DiscordServer.open({ token });
  const typed = { token, apiUrl: server.apiUrl };
  const open = await runSetup(discord, { answer: person(typed) });
  expect(open.config).toEqual(typed);
  const settings = discordSettings.parse(open.config);
  expect([settings.everyone, settings.strangers, settings.owners]).toEqual([false, "pair", []]);
  const { config } = await runSetup(discord, { answer: person(typed, "123456789012345678") });
  expect(config).toEqual({ ...typed, owners: ["123456789012345678"] });
});

it("IRC: without an owner nobody is let in before somebody was asked, and the setup says so", async () => {
  await using server = await ScriptedIrc.open();
  const network = { server: "127.0.0.1", port: String(server.port), encryption: "no", nick: "ada" };
  const { states, config } = await runSetup(irc, {
    answer: ({ fields }: State) => (fields?.some(({ key }) => key === "server") ? network : {}),
  });
  const people = states[1]?.kind === "awaiting_user_input" ? (states[1].instructions ?? "") : "";
  expect(people).toContain("Until somebody is named or let in, nobody is answered.");
  expect(new Map(Object.entries(german)).get(people)).toContain("bekommt niemand eine Antwort");
  const settings = ircSettings.parse(config);
  expect([settings.everyone, settings.strangers, settings.owners]).toEqual([false, "pair", []]);
});
