import { describe, expect, it } from "vitest";
import { ChannelWorld } from "./world.ts";
import { XmppCrowd } from "./xmpp/xmpp-crowd.ts";

/** How often the app is killed; `PATCHBAY_KILL_RUNS` sets another number. */
const KILLS = Number(process.env.PATCHBAY_KILL_RUNS ?? 2);
const PEOPLE = KILLS > 2 ? 30 : 12;
/** How long anything may take in a long run, in milliseconds. */
const LONG_PATIENCE_MS = 3 * 60_000;
const everybody = Array.from({ length: PEOPLE }, (_, person) => person);

/**
 * Before each kill everybody writes two messages. The first kill, and each second one after it, comes in the worst moment:
 * everybody has heard an answer, and the bot does not know of one of them. The others come while the answers come in.
 * What the kill before left over is said by then: while the bot hears nothing, it could not look what was said.
 *
 * @returns how often an answer came, beyond the first time, by person
 */
async function repetitions(server: "prosody" | "ejabberd", archive: boolean): Promise<number[]> {
  const crowd = await XmppCrowd.open({ server, archive, people: PEOPLE, timeScale: 20 });
  await using world = await openWorld(crowd);
  const said: string[] = [];
  const heard = (text: string) =>
    everybody.filter((person) => crowd.heardBy(person).includes(`re: ${text} of ${person}`)).length;
  const say = async (text: string) => {
    said.push(text);
    await Promise.all(everybody.map((person) => crowd.sayAs(person, `${text} of ${person}`)));
  };
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const worst = kill % 2 === 1;
    const first = worst ? `slowly ${kill}` : `first ${kill}`;
    await say(first);
    await say(`second ${kill}`);
    if (worst) {
      await world.model.holding(PEOPLE);
      await world.until("only what is new waits", async () => {
        const queue = (await world.view()).runtimeState?.queue as { in: number; out: number } | undefined;
        return queue?.in === 2 * PEOPLE && queue.out === 0;
      });
      crowd.proxy.deaf = true;
      world.model.release();
    }
    const enough = worst ? PEOPLE : 1 + ((kill * 5) % PEOPLE);
    await world.until(`${enough} answers to "${first}"`, () => heard(first) >= enough);
    await world.killApp();
    crowd.proxy.deaf = false;
    await world.startApp();
  }
  await world.until(
    () => `everybody is answered: ${said.map((text) => `${text}: ${heard(text)}`)}`,
    // The servers are reached through this process: it must not be busy with counting.
    () => everybody.every((person) => new Set(crowd.heardBy(person)).size >= said.length),
  );
  await world.settled();
  for (const person of everybody) {
    // What comes twice comes at once after the first: the order is kept.
    expect([...new Set(crowd.heardBy(person))]).toEqual(said.map((text) => `re: ${text} of ${person}`));
  }
  return everybody.map((person) => crowd.heardBy(person).length - said.length);
}

async function openWorld(crowd: XmppCrowd): Promise<ChannelWorld & AsyncDisposable> {
  const world = await ChannelWorld.open(crowd);
  // How often an answer comes is counted here, not how soon: other long runs may take the processors meanwhile.
  if (KILLS > 2) world.patienceMs = LONG_PATIENCE_MS;
  return Object.assign(world, { [Symbol.asyncDispose]: () => world.close() });
}

describe("killed in the middle of many conversations,", {
  timeout: 60_000 + KILLS * 30_000,
  concurrent: true,
}, () => {
  it.each(["prosody", "ejabberd"] as const)(
    "says nothing twice on %s, which keeps messages",
    async (server) => {
      const twice = await repetitions(server, true);
      expect(twice.reduce((sum, times) => sum + times, 0)).toBe(0);
    },
  );

  it("says at most one message a conversation and kill twice on a server that keeps none", async () => {
    const twice = await repetitions("prosody", false);
    expect(Math.max(...twice)).toBeLessThanOrEqual(KILLS);
    // Of the answers that nobody knew to have arrived, each came twice: so where there is an archive, looking there helped.
    expect(Math.min(...twice)).toBeGreaterThan(0);
  });
});
