import { expect, test } from "vitest";
import { KeyedQueue, SerialQueue } from "./serial-queue.ts";

test("tasks run one after the other, whatever becomes of the one before", async () => {
  const queue = new SerialQueue();
  const order: string[] = [];
  const first = queue.run(async () => {
    await Promise.resolve();
    order.push("first");
    throw new Error("failed");
  });
  const second = queue.run(async () => order.push("second"));
  await expect(first).rejects.toThrow("failed");
  await second;
  expect(order).toEqual(["first", "second"]);
  expect(queue.busy).toBe(false);
});

test("those who ask while the next run has not begun share it; later ones get another", async () => {
  const queue = new SerialQueue();
  let runs = 0;
  let during: Promise<void> | undefined;
  const task = async () => {
    runs += 1;
    during ??= queue.runNext(task);
  };
  await Promise.all([queue.runNext(task), queue.runNext(task), queue.runNext(task)]);
  await during;
  expect(runs).toBe(2);
});

test("tasks of one key wait for each other, those of different keys do not, and nothing is kept of an empty queue", async () => {
  const queues = new KeyedQueue();
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = queues.run("a", async () => {
    await gate.promise;
    order.push("first of a");
    throw new Error("failed");
  });
  const second = queues.run("a", async () => order.push("second of a"));
  await queues.run("b", async () => order.push("b"));
  expect(queues.size("a")).toBe(2);
  gate.resolve();
  await expect(first).rejects.toThrow("failed");
  await second;
  expect(order).toEqual(["b", "first of a", "second of a"]);
  expect(queues.size("a")).toBe(0);
});
