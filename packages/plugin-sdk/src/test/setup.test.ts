import { expect, test } from "vitest";
import { definePlugin, type PluginManifest } from "../manifest.ts";
import type { ChannelSetup, SetupState } from "../setup.ts";
import { checkSetup, runSetup } from "./setup.ts";

const form: SetupState = {
  kind: "awaiting_user_input",
  fields: [{ key: "number", label: "Number", type: "phone", required: true }],
};
const code: SetupState = {
  kind: "awaiting_external",
  instructions: "Scan",
  qrText: "pair:1",
  pollIntervalMs: 100,
};

function plugin(change: Partial<ChannelSetup> = {}): { manifest: PluginManifest; open: Set<string> } {
  const open = new Set<string>();
  let polls = 0;
  const setup: ChannelSetup = {
    begin: async () => {
      polls = 0;
      open.add("s");
      return { sessionId: "s", state: form };
    },
    submit: async () => code,
    poll: async (_id, ctx) => {
      polls += 1;
      if (polls < 2) return code;
      await ctx.credentialStore?.set("device", "key", "k");
      open.delete("s");
      return { kind: "done", config: { number: "1" }, account: "1" };
    },
    cancel: async (id) => void open.delete(id),
    ...change,
  };
  const channel = { start: async () => undefined, setup };
  return {
    manifest: definePlugin({ manifestVersion: 1, key: "p", displayName: "P", description: "P.", channel }),
    open,
  };
}

test("a setup is run from its first state to its settings", async () => {
  const run = await runSetup(plugin().manifest, { answer: () => ({ number: "1" }) });
  expect(run.states.map(({ kind }) => kind)).toEqual([
    "awaiting_user_input",
    "awaiting_external",
    "awaiting_external",
    "done",
  ]);
  expect(run).toMatchObject({ config: { number: "1" }, credentials: { device: { key: "k" } } });
});

test("a good setup has no faults along any path and leaves no session open", async () => {
  const { manifest, open } = plugin();
  expect(await checkSetup(manifest)).toEqual([]);
  expect([...open]).toEqual([]);
});

test.each<[string, Partial<ChannelSetup>, RegExp]>([
  [
    "an unsafe address",
    { submit: async () => ({ ...code, redirectUrl: "http://example.test" }) as SetupState },
    /neither https/,
  ],
  ["a cancel that throws", { cancel: () => Promise.reject(new Error("no")) }, /Cancelling at/],
  ["no cancel", { cancel: undefined }, /no cancel/],
  ["an error at the end", { poll: async () => ({ kind: "error", message: "Too late." }) }, /Too late/],
])("%s is a fault", async (_name, change, words) => {
  expect((await checkSetup(plugin(change).manifest)).join("\n")).toMatch(words);
});

test("a setup that never ends is noticed", async () => {
  const { manifest } = plugin({ poll: async () => code });
  await expect(runSetup(manifest)).rejects.toThrow(/in circles/);
});
