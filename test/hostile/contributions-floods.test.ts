import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CrookWatch, crookPlugin } from "../support/crook.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const attacks = {
  nonsense: [{ t: "take this" }],
  answers: [{ t: "result", id: 5_000_000, value: "forged" }],
  reports: [{ t: "runtimeState", patch: { n: 1 } }],
  offers: [{ t: "contributions", changed: { hooks: [] } }],
} as const;

let folder: string;
let app: RunningApp;
let watch: CrookWatch;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-hostile-"));
  app = await startApp(join(folder, "home"));
  watch = new CrookWatch(app, folder);
  for (const key of ["quiet", "hoarder", ...Object.keys(attacks)]) {
    await crookPlugin(join(folder, key), { key });
    await app.cli("plugin", "install", join(folder, key), "--yes");
    await app.rest("PUT", `/agents/helper/plugins/${key}`, { enabled: true });
  }
}, 60_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ["nonsense", "it sent 1000 messages that were refused"],
  ["answers", "it sent 1000 messages that were refused"],
  ["reports", "it sent more messages within a second than can be heard"],
  ["offers", "it sent more messages within a second than can be heard"],
] as const)("a flood of %s ends the plugin's process, says why, and disturbs no other", async (key, why) => {
  const flood = watch.post(key, [...attacks[key]], 20_000);
  expect(await watch.call("quiet__say", { text: "undisturbed" })).toMatchObject({
    content: [{ text: "undisturbed" }],
  });
  await flood;
  const refusal = await watch.refusal(key, "the line to Patchbay");
  expect(refusal.detail).toBe(`The plugin's process was ended: ${why}.`);
  expect(await watch.logged(key)).toContain(why);
});

test("names that objects have already, and names that cannot be shown, are not kept", async () => {
  const keep = (id: number, key: string) => ({
    t: "request",
    id,
    during: null,
    request: { kind: "storage.set", key, value: { polluted: true } },
  });
  await watch.post("hoarder", [keep(1, "__proto__"), keep(2, "constructor"), keep(3, "a\u001b[2J")]);
  expect(await watch.call("hoarder__say", { text: "done" })).toMatchObject({ content: [{ text: "done" }] });
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(await watch.logged("hoarder")).toContain("sent a message that Patchbay does not know");
});

test("a report of megabytes is not kept", async () => {
  await watch.post("quiet", [{ t: "runtimeState", patch: { big: "x".repeat(2_000_000) } }]);
  expect(await watch.call("quiet__say", { text: "done" })).toMatchObject({ content: [{ text: "done" }] });
  expect(JSON.stringify((await watch.view("quiet")).runtimeState ?? {}).length).toBeLessThan(1_000);
  expect(await watch.logged("quiet")).toContain("sent a message that Patchbay does not know");
});
