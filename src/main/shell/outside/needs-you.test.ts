import { expect, test } from "vitest";
import type { AgentPluginState, AppChange, Dialog, SetupView, Snapshot } from "../../../contract/index.ts";
import { NeedsYou } from "./needs-you.ts";
import { wordLists } from "./word-lists.ts";

interface Told {
  title: string;
  body: string;
  route?: string;
}

/** One agent, Helper, with the plugin "mailbox", called Post office, which runs. */
function watching(language: "en" | "de", { isLookedAt = false } = {}) {
  const told: Told[] = [];
  const needs = new NeedsYou({
    notify: (notification) => void told.push(notification),
    isLookedAt: () => isLookedAt,
    words: () => wordLists[language],
  });
  needs.begin({
    agents: [{ id: "helper", name: "Helper" }],
    plugins: [{ manifestKey: "mailbox", displayName: "Post office" }],
    agentPlugins: [row("running")],
    approvals: [],
    dialogs: [],
    setups: [],
  } as unknown as Snapshot);
  return { told, take: (change: unknown) => needs.take(change as AppChange) };
}

function row(state: AgentPluginState["instance"]["state"], nextRestartAt: string | null = null) {
  return { agentId: "helper", pluginKey: "mailbox", instance: { state, nextRestartAt } };
}

const dialog = { id: "d", agentId: "helper", pluginKey: "mailbox", question: { message: "Which folder?" } };
const expired = {
  id: "s",
  agentId: "helper",
  pluginKey: "mailbox",
  step: { kind: "error", problem: { code: "SETUP_EXPIRED", message: "" } },
};

test.each([
  ["failed", "Post office konnte nicht starten (Helper)"],
  ["quarantined", "Post office wurde nach wiederholten Abstürzen angehalten (Helper)"],
  ["needs_setup", "Post office muss neu eingerichtet werden (Helper)"],
] as const)("a plugin that is %s is named with its state, in German", (state, title) => {
  const { told, take } = watching("de");
  take({ type: "put", collection: "agentPlugins", item: row(state) });
  expect(told).toEqual([
    { title, body: wordLists.de.openToSeeWhy, route: "/agents/helper/plugins/mailbox/overview" },
  ]);
});

test("a question and a setup that ran out name the plugin as the screens do, in both languages", () => {
  for (const [language, titles] of [
    ["en", ["Post office has a question (Helper)", "The setup of Post office has run out (Helper)"]],
    [
      "de",
      ["Post office hat eine Frage (Helper)", "Die Einrichtung von Post office ist abgelaufen (Helper)"],
    ],
  ] as const) {
    const { told, take } = watching(language);
    take({ type: "put", collection: "dialogs", item: dialog as unknown as Dialog });
    take({ type: "put", collection: "dialogs", item: dialog as unknown as Dialog });
    take({ type: "put", collection: "setups", item: expired as unknown as SetupView });
    expect(told.map(({ title }) => title)).toEqual(titles);
    expect(told[0]?.body).toBe("Which folder?");
  }
});

test("what starts again by itself, and what the person sees anyway, is not told", () => {
  const { told, take } = watching("en");
  take({ type: "put", collection: "agentPlugins", item: row("failed", "2026-11-22T00:00:00.000Z") });
  const looked = watching("en", { isLookedAt: true });
  looked.take({ type: "put", collection: "agentPlugins", item: row("quarantined") });
  expect([told, looked.told]).toEqual([[], []]);
});

test("a call that waits is named as its plugin names it", () => {
  const { told, take } = watching("en");
  const item = { id: "a", agentId: "helper", status: "waiting", tool: "my__space__open__it" };
  take({ type: "put", collection: "approvals", item: { ...item, title: "my__space.open__it" } });
  expect(told[0]?.title).toBe(wordLists.en.asksApproval("Helper", "my__space.open__it"));
});
