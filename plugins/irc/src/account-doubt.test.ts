import { type ChannelClock, ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { expect, test } from "vitest";
import { AccountDoubt } from "./account-doubt.ts";
import { noSasl } from "./wire/failures.ts";

const MINUTE = 60_000;
let now = 0;
const clock = { now: () => now } as ChannelClock;
const refusal = () => new ChannelFailure("credentials", "The account was not accepted: failed");

test("a first refusal is believed, and one after the account was accepted for a quarter of an hour not", () => {
  const doubt = new AccountDoubt(clock);
  expect(doubt.of(refusal()).kind).toBe("credentials");
  doubt.accepted();
  expect(doubt.of(refusal()).kind).toBe("offline");
  now += 14 * MINUTE;
  expect(doubt.of(refusal()).kind).toBe("offline");
  now += 2 * MINUTE;
  expect(doubt.of(refusal()).kind).toBe("credentials");
});

test("services that go away once more are given the same time again", () => {
  const doubt = new AccountDoubt(clock);
  doubt.accepted();
  expect(doubt.of(refusal()).kind).toBe("offline");
  now += 20 * MINUTE;
  expect(doubt.of(noSasl()).kind).toBe("offline");
  expect(doubt.of(refusal()).kind).toBe("offline");
});
