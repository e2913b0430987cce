import { expect, test } from "vitest";
import type { PluginLogger, PluginStorage } from "../manifest.ts";
import { systemClock } from "./clock.ts";
import { Journal } from "./journal.ts";

/** A storage whose writes of the queue end when the test says so. */
class SlowStorage {
  readonly writes: { end(): void }[] = [];
  #begun = Promise.withResolvers<void>();

  async get(): Promise<undefined> {
    return undefined;
  }

  async set(key: string): Promise<void> {
    if (key !== "channel.queue") return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.writes.push({ end: resolve });
    this.#begun.resolve();
    this.#begun = Promise.withResolvers();
    return promise;
  }

  /** Resolves when this many writes have begun. */
  async begun(count: number): Promise<void> {
    while (this.writes.length < count) await this.#begun.promise;
  }
}

async function open() {
  const storage = new SlowStorage();
  const journal = await Journal.open({
    storage: storage as unknown as PluginStorage,
    clock: systemClock(),
    logger: console as unknown as PluginLogger,
    onChange: () => {},
    onTrouble: () => {},
  });
  return { storage, journal };
}

test("whoever waits hears of the first write that has their change, and not of one before", async () => {
  const { storage, journal } = await open();
  const told: string[] = [];
  const change = (key: string) => {
    journal.remember(key);
    return journal.stored().then(() => told.push(key));
  };
  const first = change("first");
  await storage.begun(1);
  // While this is written, more comes in, as in a channel where much is said.
  const second = change("second");
  storage.writes[0]?.end();
  await first;
  expect(told).toEqual(["first"]);

  await storage.begun(2);
  const third = change("third");
  storage.writes[1]?.end();
  await second;
  expect(told).toEqual(["first", "second"]);
  await storage.begun(3);
  storage.writes[2]?.end();
  await third;
  await expect(journal.stored()).resolves.toBeUndefined();
});

test("whoever waits when the channel stops hears whether it was stored after all", async () => {
  const { storage, journal } = await open();
  journal.remember("first");
  const first = journal.stored();
  await storage.begun(1);
  journal.remember("second");
  const second = journal.stored();
  const closed = journal.close();
  storage.writes[0]?.end();
  await first;
  await storage.begun(2);
  storage.writes[1]?.end();
  await second;
  await closed;
  journal.remember("third");
  await expect(journal.stored()).rejects.toThrow("The channel stops.");
});

test("what changes in the moment in which a write ends is written, too", async () => {
  const { storage, journal } = await open();
  for (let ticks = 0; ticks < 20; ticks += 1) {
    journal.remember(`before ${ticks}`);
    await storage.begun(2 * ticks + 1);
    storage.writes[2 * ticks]?.end();
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    journal.remember(`then ${ticks}`);
    const stored = journal.stored();
    await storage.begun(2 * ticks + 2);
    storage.writes[2 * ticks + 1]?.end();
    await stored;
  }
});
