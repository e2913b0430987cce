import type { SetupState } from "@patchbay/plugin-sdk";
import { checkSetup, runSetup } from "@patchbay/plugin-sdk/test";
import { expect, it } from "vitest";
import discord from "../../plugins/discord/src/index.ts";
import slack from "../../plugins/slack/src/index.ts";
import telegram from "../../plugins/telegram/src/index.ts";
import wechat from "../../plugins/wechat/src/index.ts";
import { DiscordServer } from "../support/platforms/discord/server.ts";
import { SlackPerson } from "../support/platforms/slack/person.ts";
import { SlackServer } from "../support/platforms/slack/server.ts";

const tokens = { botToken: `xoxb-1-2-${"a".repeat(24)}`, appToken: `xapp-1-A0-${"b".repeat(24)}` };
const token = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${"x".repeat(38)}`;

interface State {
  kind: string;
  instructions?: string;
  fields?: { key: string; options?: { value: string; label: string; help?: string }[] }[];
}
const optionsOf = ({ fields }: State) => fields?.find(({ key }) => key === "channels")?.options ?? [];
/** The values of the options with these labels. */
const pick = (state: State, ...labels: string[]) => ({
  channels: optionsOf(state)
    .filter(({ label }) => labels.some((one) => label.startsWith(one)))
    .map(({ value }) => value)
    .join(","),
});

it("Slack's channels are picked from those that the app was invited to, and looked for again", async () => {
  await using server = await SlackServer.open(tokens);
  const ada = new SlackPerson(server, "ada");
  const team = ada.channel("team");
  const secret = ada.channel("board", "group");
  const outside = server.workspace.addChannel("channel", "outside", [ada.user.id]);
  server.workspace.addChannel("group", "hidden", [ada.user.id]);
  for (let count = 0; count < 220; count += 1) server.workspace.addChannel("channel", `c${count}`, []);
  const seen: string[][] = [];
  const { config } = await runSetup(slack, {
    answer: (state: State) => {
      if (optionsOf(state).length === 0) return { ...tokens, slackApiUrl: server.apiUrl };
      seen.push(optionsOf(state).map(({ label, help }) => `${label}${help ? ` ${help}` : ""}`));
      if (seen.length > 1) return pick(state, "#team", "#outside", "#board");
      outside.members.add(server.app.botUserId);
      return pick(state, "#team", "I have just invited it");
    },
  });
  expect(seen[0]).toEqual(["#board private", "#team", "I have just invited it: look again"]);
  expect(seen[1]).toEqual(["#board private", "#outside", "#team", "I have just invited it: look again"]);
  expect(config).toMatchObject({ groups: [secret.id, outside.id, team.id] });
});

it("an app of Slack that may not list channels is set up all the same, and it is said", async () => {
  await using server = await SlackServer.open(tokens);
  server.app.scopes.splice(0, Number.POSITIVE_INFINITY, "chat:write", "users:read");
  const typed = { ...tokens, slackApiUrl: server.apiUrl };
  const { states, config } = await runSetup(slack, { answer: () => typed });
  expect(JSON.stringify(states)).toContain("made without channels:read");
  expect(config).toEqual(typed);
});

it("Discord waits until the bot was invited, says where it is and what it lacks there, and offers its channels", async () => {
  await using server = await DiscordServer.open({ token });
  const team = server.guilds.addChannel("team");
  server.guilds.addChannel("other");
  server.guilds.addThread(team, "a thread");
  server.botPermissions = null;
  const said: string[] = [];
  const { states, config } = await runSetup(discord, {
    outside: (_state: State, polls: number) => {
      // See, send and read, but no threads, files, cards and reactions.
      if (polls === 2) server.botPermissions = String(1024 + 2048 + 65_536);
    },
    answer: (state: State) => {
      if (optionsOf(state).length === 0) return { token, apiUrl: server.apiUrl };
      said.push(state.instructions ?? "");
      if (said.length > 1) return pick(state, "#team");
      expect(
        optionsOf(state)
          .map(({ label }) => label)
          .slice(0, -1),
      ).toEqual(["#team", "#other"]);
      server.botPermissions = "274878024768";
      return pick(state, "I have just invited it");
    },
  });
  expect(states.filter(({ kind }) => kind === "awaiting_external")).toHaveLength(3);
  expect(said[0]).toContain("It is on: Example guild.");
  expect(said[0]).toContain(
    "On Example guild it lacks these rights; invite it again with the link below:\n– Send Messages in Threads\n– Embed Links\n– Attach Files\n– Add Reactions\n",
  );
  expect(said[1]).not.toContain("lacks");
  expect(config).toEqual({ token, apiUrl: server.apiUrl, groups: [team.id] });
  const answer = (state: State) => (optionsOf(state).length > 0 ? {} : { token, apiUrl: server.apiUrl });
  expect(await checkSetup(discord, { answer })).toEqual([]);
});

it.each([
  ["Telegram", telegram, "apiRoot"],
  ["Slack", slack, "slackApiUrl"],
  ["Discord", discord, "apiUrl"],
  ["WeChat", wechat, "service"],
  // Signal's, with the server that is found by itself: signal-setup.test.ts
])("addresses of APIs are asked under Advanced alone: %s", async (_name, { channel }, key) => {
  const ctx = { agentId: "helper", logger: () => {}, reason: "first" as const };
  const setup = channel?.setup;
  const begun = await setup?.begin({}, ctx);
  const fieldsOf = (state: SetupState | undefined) =>
    state?.kind === "awaiting_user_input" ? state.fields : [];
  let fields = fieldsOf(begun?.state);
  // Slack's is beside its tokens, one step later.
  if (!fields.some((field) => field.key === key))
    fields = fieldsOf(await setup?.submit?.(begun?.sessionId ?? "", {}, ctx));
  expect(fields.find((field) => field.key === key)).toMatchObject({ advanced: true });
  const inSight = fields.filter(({ advanced, required }) => !advanced || required);
  expect(inSight.filter(({ label }) => /address|server/i.test(label))).toEqual([]);
});
