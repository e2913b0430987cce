import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

test("no more runs go on at once than there are slots, and the others follow in their order", async () => {
  const slots = new Slots(2);
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const runs = [0, 1, 2, 3].map((number) =>
    slots.hold(undefined, () => {
      begun.push(number);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  expect(begun).toEqual([0, 1]);
  ends[1]?.();
  await runs[1];
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.();
  await runs[0];
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[2]?.();
  ends[3]?.();
  await Promise.all(runs);
});

test("who is stopped while waiting never begins, and a run that fails gives its slot back", async () => {
  const slots = new Slots(1);
  const first = Promise.withResolvers<void>();
  const held = slots.hold(undefined, () => first.promise);
  const controller = new AbortController();
  const waiting = slots.hold(controller.signal, async () => "ran");
  controller.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  first.reject(new Error("failed"));
  await expect(held).rejects.toThrow("failed");
  expect(await slots.hold(undefined, async () => "free")).toBe("free");
});
