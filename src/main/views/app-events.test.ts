import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AppChange, AppEvent } from "../../contract/index.ts";
import { AppEvents } from "./app-events.ts";

const removed = (key: string): AppChange => ({ type: "drop", collection: "plugins", id: key });

describe("the stream of changes", () => {
  let events: AppEvents;
  let errors: unknown[];

  beforeEach(() => {
    vi.useFakeTimers();
    errors = [];
    events = new AppEvents((error) => errors.push(error));
  });
  afterEach(() => {
    events.close();
    vi.useRealTimers();
  });

  const touch = (key: string) => events.touch(key, () => removed(key));
  async function next(stream: AsyncGenerator<AppEvent, void>): Promise<AppEvent> {
    const { value } = await stream.next();
    if (!value) throw new Error("the stream ended");
    return value;
  }

  it("says hello with the point from which it tells everything", async () => {
    expect(await next(events.follow({}))).toEqual({ type: "hello", epoch: events.epoch, seq: 0 });
  });

  it("tells a first change in the same tick of the clock", async () => {
    const stream = events.follow({});
    await next(stream);
    const batch = next(stream);
    touch("a");
    await vi.advanceTimersByTimeAsync(1);
    expect(await batch).toMatchObject({ type: "changes", seq: 1, changes: [removed("a")] });
  });

  it("makes at most 60 batches a second of 1,000 changes, and the last one has the last value", async () => {
    let value = 0;
    const seen: AppEvent[] = [];
    const stream = events.follow({});
    const reading = (async () => {
      for await (const event of stream) seen.push(event);
    })();
    for (let number = 1; number <= 1_000; number += 1) {
      value = number;
      events.touch("row", () => removed(String(value)));
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(100);
    events.close();
    await reading;
    const batches = seen.filter((event) => event.type === "changes");
    expect(batches.length).toBeLessThanOrEqual(60);
    expect(batches.length).toBeGreaterThan(30);
    expect(batches.at(-1)).toMatchObject({ changes: [removed("1000")] });
  });

  it("keeps the order of the last changes and one of each thing", async () => {
    const stream = events.follow({});
    await next(stream);
    for (const key of ["a", "b", "a"]) touch(key);
    await vi.advanceTimersByTimeAsync(20);
    expect(await next(stream)).toMatchObject({ changes: [removed("b"), removed("a")] });
  });

  it("goes on after a lost connection where the reader left off", async () => {
    for (const key of ["a", "b", "c"]) {
      touch(key);
      await vi.advanceTimersByTimeAsync(20);
    }
    const stream = events.follow({ epoch: events.epoch, seq: 1 });
    expect(await next(stream)).toMatchObject({ type: "hello", seq: 1 });
    expect(await next(stream)).toMatchObject({ seq: 2, changes: [removed("b")] });
    expect(await next(stream)).toMatchObject({ seq: 3, changes: [removed("c")] });
  });

  it.each([
    ["of another start", { epoch: "another", seq: 0 }],
    ["from the future", { seq: 99 }],
  ])("asks a reader %s to fetch the snapshot again", async (_what, since) => {
    touch("a");
    await vi.advanceTimersByTimeAsync(20);
    const stream = events.follow({ epoch: events.epoch, ...since });
    expect(await next(stream)).toEqual({ type: "resync", epoch: events.epoch, seq: 1 });
  });

  it("numbers on after an earlier holder, whose readers fetch the snapshot again", async () => {
    touch("a");
    await vi.advanceTimersByTimeAsync(20);
    const [lease, sequence] = [{ epoch: events.epoch, sequence: 2 ** 32 }, 2 ** 32];
    const later = new AppEvents((error) => errors.push(error), lease);
    const stream = later.follow({ epoch: events.epoch, seq: events.seq });
    expect(await next(stream)).toEqual({ type: "resync", epoch: events.epoch, seq: sequence });
    later.touch("agent b", () => removed("b"));
    await vi.advanceTimersByTimeAsync(20);
    expect(await next(stream)).toMatchObject({ seq: sequence + 1, changes: [removed("b")] });
    later.close();
  });

  it("asks a reader that is 2,000 batches behind to fetch the snapshot again", async () => {
    const slow = events.follow({});
    await next(slow);
    for (let number = 0; number < 2_001; number += 1) {
      touch(String(number));
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(await next(slow)).toEqual({ type: "resync", epoch: events.epoch, seq: 2_001 });
  });

  it("goes on when one thing cannot be described, and tells of that", async () => {
    const stream = events.follow({});
    await next(stream);
    const broken = new Error("broken");
    events.touch("bad", () => {
      throw broken;
    });
    touch("good");
    await vi.advanceTimersByTimeAsync(20);
    expect(await next(stream)).toMatchObject({ changes: [removed("good")] });
    expect(errors).toEqual([broken]);
  });

  it("ends when its reader goes", async () => {
    const gone = new AbortController();
    const stream = events.follow({}, gone.signal);
    await next(stream);
    const end = stream.next();
    gone.abort();
    expect(await end).toEqual({ value: undefined, done: true });
  });
});
