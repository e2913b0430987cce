import { checkSetup, runSetup } from "@patchbay/plugin-sdk/test";
import { afterEach, beforeEach, expect, test } from "vitest";
import telegram from "../../plugins/telegram/src/index.ts";
import type { BotAccount } from "../support/platforms/telegram/bot-account.ts";
import { TelegramPerson } from "../support/platforms/telegram/person.ts";
import { TelegramServer } from "../support/platforms/telegram/server.ts";

const token = `70010001:${"A".repeat(35)}`;
let server: TelegramServer;
let bot: BotAccount;

beforeEach(async () => {
  server = await TelegramServer.open();
  bot = server.addBot({ token });
});
afterEach(() => server[Symbol.asyncDispose]());

/** Types these tokens one after the other, then takes this way to the owner. */
function person(tokens: string[], choice = "everyone", owner = "11") {
  return (state: { kind: string; title?: string; fields?: { key: string }[] }) => {
    if (state.kind === "awaiting_choice" && state.title === "In which groups?") return { choice: "go-on" };
    if (state.kind === "awaiting_choice") return { choice };
    if (state.fields?.some(({ key }) => key === "owner")) return { owner };
    return { token: tokens.shift() ?? "", apiRoot: server.apiRoot };
  };
}

test("a wrong token is asked for again, with what it seems to be", async () => {
  const wrong = ["xoxb-1-2-abc", "nonsense", `70020002:${"B".repeat(35)}`, ` ${token}\n`];
  const { states, config } = await runSetup(telegram, { answer: person(wrong) });
  const said = states.map((state) => ("problem" in state ? state.problem : JSON.stringify(state)));
  expect(said[1]).toContain("This is a bot token of Slack");
  expect(said[2]).toContain("no token of a Telegram bot");
  expect(said[3]).toContain("Telegram refused this token");
  expect(said[4]).toContain("Connected as @helper_bot");
  expect(states.at(-1)).toMatchObject({ kind: "done", account: "@helper_bot" });
  expect(config).toEqual({ token, apiRoot: server.apiRoot, everyone: true });
});

test("the phone that presses Start becomes the owner, and nothing that waited for the bot is lost", async () => {
  const ada = new TelegramPerson(server, { id: 11 });
  const other = new TelegramPerson(server, { id: 12 });
  other.says(bot, "hello?");
  const { config } = await runSetup(telegram, {
    answer: person([token], "phone"),
    outside: (state, polls) => {
      if (polls !== 1 || state.kind !== "awaiting_external") return;
      other.says(bot, "/start something");
      ada.says(bot, `/start ${new URL(state.qrText ?? "").searchParams.get("start")}`);
    },
  });
  expect(config).toMatchObject({ owners: ["11"] });
  expect(bot.queue.length).toBe(3);
});

test("an owner's id is a number; signing in again only asks for the token", async () => {
  const ids = ["@ada", "11"];
  const { states, config } = await runSetup(telegram, {
    answer: (state) => {
      const asksOwner = state.kind === "awaiting_user_input" && state.fields[0]?.key === "owner";
      return asksOwner ? { owner: ids.shift() } : person([token], "id")(state);
    },
  });
  expect(states.some((state) => "problem" in state && state.problem?.includes("can change hands"))).toBe(
    true,
  );
  expect(config).toMatchObject({ owners: ["11"] });
  const again = await runSetup(telegram, { reason: "sign_in_again", answer: person([token]) });
  expect(again.states.length).toBe(2);
  expect(again.config).toEqual({ token, apiRoot: server.apiRoot });
});

test("a server that cannot be asked is said, and every way through can be left", async () => {
  server.fail("getMe", "cut");
  const { states } = await runSetup(telegram, { answer: person([token, token]) });
  expect(states[1]).toMatchObject({ problem: expect.stringContaining("could not be asked") });
  expect(JSON.stringify(states.slice(0, -1))).not.toContain(token);
  expect(await checkSetup(telegram, { answer: (state) => person([token])(state) })).toEqual([]);
});

test("groups are chosen from those that the bot was seen in, and nothing that waited is lost", async () => {
  const ada = new TelegramPerson(server, { id: 11 });
  const team = ada.group(bot, { id: -1001, title: "Team" });
  ada.group(bot, { id: -1002, title: "Other" });
  ada.says(bot, "@helper_bot hello", { room: team });
  const seen: string[][] = [];
  const { config } = await runSetup(telegram, {
    answer: (state) => {
      if (state.kind !== "awaiting_choice" || state.title !== "In which groups?")
        return person([token])(state);
      seen.push(state.options.map(({ label }) => label));
      const answers = ["-1001", "-1002", "go-on"];
      return { choice: answers[seen.length - 1] };
    },
  });
  expect(seen[0]).toEqual(["In none, go on", "Answer in “Team”", "Add it to a group"]);
  expect(seen.at(-1)).toEqual(["Go on", "Add it to a group"]);
  // One that nobody saw cannot be chosen.
  expect(config).toMatchObject({ groups: ["-1001"] });
  expect(bot.queue).toHaveLength(1);
});

test("a group to which the bot is added while the wizard waits is chosen, also when it becomes a supergroup", async () => {
  const ada = new TelegramPerson(server, { id: 11 });
  const old = ada.group(bot, { id: -5, title: "Old", type: "group" });
  ada.says(bot, "@helper_bot hello", { room: old });
  ada.upgrades(bot, old, -1005);
  let asked = 0;
  const { states, config } = await runSetup(telegram, {
    answer: (state) => {
      if (state.kind !== "awaiting_choice" || state.title !== "In which groups?")
        return person([token])(state);
      asked += 1;
      return { choice: ["-1005", "add", "go-on"][asked - 1] };
    },
    outside: (state, polls) => {
      if (polls !== 1 || state.kind !== "awaiting_external") return;
      expect(new URL(state.redirectUrl ?? "").searchParams.get("startgroup")).toMatch(/^[0-9a-f]{32}$/);
      ada.adds(bot, { id: -1003, title: "Added" });
    },
  });
  expect(
    states.some((state) => "instructions" in state && state.instructions === "Chosen: Old, Added."),
  ).toBe(true);
  expect(config).toMatchObject({ groups: ["-1005", "-1003"] });
});
