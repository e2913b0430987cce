import { runSetup } from "@patchbay/plugin-sdk/test";
import { expect, it } from "vitest";
import discord from "../../plugins/discord/src/index.ts";
import slack from "../../plugins/slack/src/index.ts";
import { DiscordServer } from "../support/platforms/discord/server.ts";
import { SlackPerson } from "../support/platforms/slack/person.ts";
import { SlackServer } from "../support/platforms/slack/server.ts";

interface State {
  kind: string;
  fields?: { key: string }[];
}

/** Names nobody, is asked, names the owner after all when `owner` is given, else chooses everybody. */
function person(typed: Record<string, string>, owner?: string) {
  const owners = ["", owner ?? ""];
  return ({ kind, fields }: State) => {
    if (kind === "awaiting_choice") return { choice: owner === undefined ? "everyone" : "owner" };
    if (fields?.some(({ key }) => key === "owner")) return { owner: owners.shift() };
    return typed;
  };
}

it("Slack: everybody may write only when that was chosen", async () => {
  const tokens = { botToken: `xoxb-1-2-${"a".repeat(24)}`, appToken: `xapp-1-A0-${"b".repeat(24)}` };
  await using server = await SlackServer.open(tokens);
  const typed = { ...tokens, slackApiUrl: server.apiUrl };
  const open = await runSetup(slack, { answer: person(typed) });
  expect(open.states.at(-2)).toMatchObject({ kind: "awaiting_choice", title: "Nobody as owner?" });
  expect(open.config).toMatchObject({ everyone: true });
  const ada = new SlackPerson(server, "ada").user.id;
  const { config } = await runSetup(slack, { answer: person(typed, ada) });
  expect(config).toMatchObject({ owners: [ada] });
  expect(config).not.toHaveProperty("everyone");
});

it("Discord: everybody may write only when that was chosen", async () => {
  const token = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${"x".repeat(38)}`;
  await using server = await DiscordServer.open({ token });
  const typed = { token, apiUrl: server.apiUrl };
  const open = await runSetup(discord, { answer: person(typed) });
  expect(open.states.at(-2)).toMatchObject({ kind: "awaiting_choice", title: "Nobody as owner?" });
  expect(open.config).toMatchObject({ everyone: true });
  const { config } = await runSetup(discord, { answer: person(typed, "123456789012345678") });
  expect(config).toMatchObject({ owners: ["123456789012345678"] });
  expect(config).not.toHaveProperty("everyone");
});
