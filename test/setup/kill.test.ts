import { once } from "node:events";
import { resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AgentPluginView, SecretInfo, SetupView, Snapshot } from "../../src/contract/index.ts";
import { Vault } from "../../src/main/secrets/index.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { type Bench, openBench } from "../cli/support.ts";
import { PhoneSimulator } from "../support/phone.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

/** How often the app is killed; more by `PATCHBAY_KILL_RUNS`. */
const runs = Number(process.env.PATCHBAY_KILL_RUNS ?? 6);
const row = "/agents/helper/plugins/phone";

let bench: Bench;
let phone: PhoneSimulator;
let app: RunningApp;

beforeEach(async () => {
  bench = await openBench();
  phone = await PhoneSimulator.open();
  app = await startApp(bench.home);
});
afterEach(async () => {
  await app.close();
  await phone.close();
  await bench.remove();
});

it(
  `leaves a plugin not set up, as it was or set up whole, whenever the app is killed while it saves (${runs} times)`,
  async () => {
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/phone"), "--yes");
    /** The token of each pairing by its account: both belong to the same setup or to none. */
    const tokens = new Map<string, string>();
    let before: string | null = null;
    const outcomes = { old: 0, new: 0 };
    for (let run = 0; run < runs; run += 1) {
      // Now and then from the beginning, else over what is set up.
      if (run % 3 === 2) {
        await app.rest("DELETE", row);
        before = null;
      }
      phone.account = `+49 ${run}`;
      await pairUntilKilled(Math.random() * 70);
      tokens.set(phone.account, phone.latest.token);
      const stored = await storedToken();
      app = await startApp(bench.home);

      const view = (await app.rest("GET", row)) as AgentPluginView;
      const snapshot = (await app.rest("GET", "/snapshot")) as Snapshot;
      const names = ((await app.rest("GET", "/secrets")) as SecretInfo[]).map(({ name }) => name);
      expect(snapshot.notices).toEqual([]);
      const channel = view.config.channel as { account: string; session_token: string } | undefined;
      const now: string | null = channel?.account ?? null;
      expect([before, phone.account]).toContain(now);
      if (channel && now !== null) {
        const reference = /^\$\{(\w+)\}$/.exec(channel.session_token)?.[1] ?? "";
        const { finished } = view.setupState as { finished: { account: string; credentials: string } };
        expect(view.enabled).toBe(true);
        expect(finished.account).toBe(now);
        expect(stored(reference)).toBe(tokens.get(now));
        expect(stored(finished.credentials)).toContain("identity-");
        expect(names.sort()).toEqual([reference, finished.credentials].sort());
      } else {
        expect(view).toMatchObject({ enabled: false, config: {} });
        expect(names).toEqual([]);
      }
      if (now === phone.account) outcomes.new += 1;
      else outcomes.old += 1;
      before = now;
    }
    if (runs >= 50) for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(0);
  },
  runs * 20_000,
);

/** Sets the phone up and kills the app a while after the code was scanned. */
async function pairUntilKilled(afterMs: number): Promise<void> {
  const gone = once(app.process, "exit");
  const setup = (verb: string, body: object) => app.rest("POST", `${row}/setup/${verb}`, body);
  const { id, step } = (await setup("begin", { again: true })) as SetupView;
  expect(step.kind).toBe("form");
  await setup("submit", {
    sessionId: id,
    stepId: step.id,
    answer: { kind: "values", values: { service: phone.url } },
  });
  phone.scan();
  const polled = setup("poll", { sessionId: id }).catch(() => {});
  setTimeout(() => app.process.kill("SIGKILL"), afterMs);
  await gone;
  await polled;
}

/** What the vault on disk holds now. */
async function storedToken(): Promise<(name: string) => string | undefined> {
  const vault = await Vault.open({
    storage: openFileStorage({ home: bench.home, onNotice() {} }),
    onNotice() {},
  });
  const values = new Map(vault.list().map(({ name }) => [name, vault.resolve(name, "helper")]));
  await vault.close();
  return (name) => values.get(name);
}
