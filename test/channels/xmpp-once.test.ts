import { describe, expect, it } from "vitest";
import { ChannelWorld } from "./world.ts";
import { XmppCrowd } from "./xmpp/xmpp-crowd.ts";

const PEOPLE = 30;
const EACH = 4;
const KILLS = 3;

/**
 * Thirty people write four messages each, and the whole app is killed again and again while answers are on their way.
 *
 * @returns how often each answer came, beyond the first time, by person
 */
async function repetitions(server: "prosody" | "ejabberd", archive: boolean): Promise<number[]> {
  const crowd = await XmppCrowd.open({ server, archive, people: PEOPLE, timeScale: 20 });
  await using world = await openWorld(crowd);
  const everybody = Array.from({ length: PEOPLE }, (_, person) => person);
  const texts = Array.from({ length: EACH }, (_, n) => `message ${n}`);
  const said = Promise.all(
    everybody.map(async (person) => {
      for (const text of texts) await crowd.sayAs(person, `${text} of ${person}`);
    }),
  );
  const answers = () => everybody.reduce((sum, person) => sum + crowd.heardBy(person).length, 0);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const enough = (kill * PEOPLE * EACH) / (KILLS + 2);
    await world.until(`${enough} answers`, () => answers() >= enough);
    await world.killApp();
    await world.startApp();
  }
  await said;
  const missing = (person: number) =>
    texts.filter((text) => !crowd.heardBy(person).includes(`re: ${text} of ${person}`));
  await world.until(
    () => `everybody is answered: ${everybody.filter((person) => missing(person).length > 0)}`,
    () => everybody.every((person) => missing(person).length === 0),
  );
  await world.settled();
  for (const person of everybody) {
    // What comes twice comes at once after the first: the order is kept.
    expect([...new Set(crowd.heardBy(person))]).toEqual(texts.map((text) => `re: ${text} of ${person}`));
  }
  return everybody.map((person) => crowd.heardBy(person).length - EACH);
}

async function openWorld(crowd: XmppCrowd): Promise<ChannelWorld & AsyncDisposable> {
  const world = await ChannelWorld.open(crowd);
  return Object.assign(world, { [Symbol.asyncDispose]: () => world.close() });
}

describe("killed in the middle of thirty conversations,", { timeout: 180_000 }, () => {
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
  });
});
