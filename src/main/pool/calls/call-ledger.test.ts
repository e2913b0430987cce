import { expect, test } from "vitest";
import { FakeClock } from "../../../../test/support/fake-clock.ts";
import { PatchbayError } from "../../../contract/index.ts";
import type { CallScope } from "../../runtimes/plugin-call.ts";
import { Figures } from "../figures/figures.ts";
import { CallLedger } from "./call-ledger.ts";

const late = (ms: number) => new PatchbayError("TOOL_TIMEOUT", `later than ${ms}`);
const scope = (change: Partial<CallScope> = {}): CallScope => ({
  sessionId: "s",
  caller: { kind: "owner" },
  signal: new AbortController().signal,
  timeoutMs: 1_000,
  turnId: null,
  spanId: null,
  ...change,
});

function ledgerOf() {
  const clock = new FakeClock();
  const figures = new Figures(clock);
  return { clock, figures, ledger: new CallLedger(clock, figures) };
}

/** A call whose end the test decides. */
function pending() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const seen: { scope?: CallScope } = {};
  const run = (inner: CallScope) => {
    seen.scope = inner;
    return promise;
  };
  return { run, resolve, seen };
}

test("a call that outlasts its limit is aborted and fails with the given error", async () => {
  const { clock, ledger, figures } = ledgerOf();
  const { run, seen } = pending();
  const call = ledger.run(scope(), late, run);
  clock.advance(1_000);
  await expect(call).rejects.toThrow("later than 1000");
  expect(seen.scope?.signal.aborted).toBe(true);
  expect(figures.view()).toMatchObject({ count: 1, failed: 1 });
});

test("the clock of a call stands still while it is paused, also twice over", async () => {
  const { clock, ledger } = ledgerOf();
  const { run, resolve, seen } = pending();
  const call = ledger.run(scope(), late, run);
  clock.advance(900);
  const first = ledger.pause(seen.scope);
  const second = ledger.pause(seen.scope);
  clock.advance(60_000);
  first();
  clock.advance(60_000);
  second();
  clock.advance(99);
  resolve("in time");
  expect(await call).toBe("in time");
});

test("what is left of the time counts after a pause", async () => {
  const { clock, ledger } = ledgerOf();
  const { run, seen } = pending();
  const call = ledger.run(scope(), late, run);
  clock.advance(900);
  ledger.pause(seen.scope)();
  clock.advance(100);
  await expect(call).rejects.toMatchObject({ code: "TOOL_TIMEOUT" });
});

test("a caller that gave up before is refused without a call", async () => {
  const { ledger, figures } = ledgerOf();
  const signal = AbortSignal.abort();
  await expect(ledger.run(scope({ signal }), late, () => Promise.resolve("x"))).rejects.toMatchObject({
    code: "ABORTED",
  });
  expect(figures.view().count).toBe(0);
});

test("draining waits for the calls under way, and aborts those that do not end in time", async () => {
  const { clock, ledger } = ledgerOf();
  const [quick, slow] = [pending(), pending()];
  const first = ledger.run(scope({ timeoutMs: 60_000 }), late, quick.run);
  const second = ledger.run(scope({ timeoutMs: 60_000 }), late, slow.run);
  const drained = ledger.drain(5_000);
  quick.resolve("done");
  expect(await first).toBe("done");
  clock.advance(5_000);
  await drained;
  await expect(second).rejects.toMatchObject({ code: "ABORTED" });
});

test("draining ends at once when nothing is under way", async () => {
  const { ledger } = ledgerOf();
  await expect(ledger.drain(5_000)).resolves.toBeUndefined();
});
