import { beforeAll, expect, it } from "vitest";
import { asItIs, sayer } from "../../contract/shown/plugin-words.ts";
import { i18n, startI18n } from "../base/i18n/index.ts";
import { labelOf, liveLine, runtimeValues } from "./runtime-values.ts";

beforeAll(() => startI18n("en"));
const now = Date.parse("2026-01-01T12:00:00.000Z");

it("reads a key as words", () => {
  expect(labelOf("lastMessageAt")).toBe("Last message");
  expect(labelOf("hosts_allowed")).toBe("Hosts allowed");
  expect(labelOf("typicalMs")).toBe("Typical (ms)");
});

it("puts the plugin's own sentence first, then a few values", () => {
  const line = liveLine(
    { calls: 4_100, status: "Connected as @bot", lastMessageAt: "2026-01-01T11:58:00.000Z", more: 1 },
    now,
    asItIs,
  );
  expect(line).toBe("Connected as @bot · calls 4,100 · last message 2 min. ago");
});

it("has nothing to say where nothing is reported", () => {
  expect(liveLine(null, now, asItIs)).toBeNull();
  expect(liveLine({ nested: {} }, now, asItIs)).toBeNull();
});

it("says of a connected channel as whom and when it was last used, and writes out what has parts", () => {
  const state = { status: "connected", connectedSince: "2026-01-01T11:00:00.000Z", account: "@bot" };
  expect(liveLine(state, now, asItIs)).toBe("Connected as @bot");
  expect(liveLine({ ...state, lastIn: "2026-01-01T11:58:00.000Z" }, now, asItIs)).toBe(
    "Connected as @bot · last message 2 min. ago",
  );
  expect(liveLine({ ...state, status: "connecting", connectedSince: null }, now, asItIs)).toBe("Connecting…");
  expect(liveLine({ status: "stopped", pages: 3 }, now, asItIs)).toBe("stopped · pages 3");
  const [queue] = runtimeValues({ queue: { in: 0, out: 1_200 } }, now, asItIs);
  expect(queue).toMatchObject({ label: "Queue", text: "in 0 · out 1,200" });
});

it("says what the plugin reports in the words of the plugin", async () => {
  const say = sayer([{ "Last host": "Letzter Host", Private: "Privat", Calls: "Aufrufe" }]);
  const state = { calls: 2, lastHost: "a.example", private: false, more: { calls: 1 } };
  expect(liveLine(state, now, asItIs)).toBe("calls 2 · last host a.example · not private");
  await i18n.changeLanguage("de");
  try {
    expect(liveLine(state, now, say)).toBe("Aufrufe 2 · Letzter Host a.example · Privat: nein");
    expect(runtimeValues(state, now, say).map(({ label, text }) => `${label}: ${text}`)).toEqual([
      "Aufrufe: 2",
      "Letzter Host: a.example",
      "Privat: nein",
      "More: Aufrufe 1",
    ]);
  } finally {
    await i18n.changeLanguage("en");
  }
});

it("says it in German, from what the channel reports and not from what it writes", async () => {
  await i18n.changeLanguage("de");
  try {
    const state = {
      status: "connected",
      connectedSince: "2026-01-01T11:00:00.000Z",
      account: "@bot",
      lastIn: "2026-01-01T11:58:00.000Z",
      reconnects: 1_200,
      queue: { in: 0, out: 1_200 },
      mode: "polling",
    };
    expect(liveLine(state, now, asItIs)).toBe("Verbunden als @bot · letzte Nachricht vor 2 Min.");
    expect(liveLine({ ...state, status: "needs-login" }, now, asItIs)).toBe("Muss neu angemeldet werden");
    expect(runtimeValues(state, now, asItIs).map(({ label, text }) => `${label}: ${text}`)).toEqual([
      "Zustand: verbunden",
      "Verbunden seit: vor 1 Std.",
      "Konto: @bot",
      "Letzte Nachricht herein: vor 2 Min.",
      "Neu verbunden: 1.200",
      "Wartet: 0 herein, 1.200 hinaus",
      "Mode: polling",
    ]);
  } finally {
    await i18n.changeLanguage("en");
  }
});
