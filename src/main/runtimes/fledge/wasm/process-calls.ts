import { randomFillSync } from "node:crypto";
import type { GuestMemory } from "./guest-memory.ts";
import { errno } from "./wasi-errors.ts";
import { timeOf } from "./wasi-times.ts";

/** Thrown to leave the module's code when it calls `proc_exit`. */
export class WasiExit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

const MOST_RANDOM = 65_536;

/** What has to do with the process and its time; a guest gets no arguments, no environment and no sockets. */
export function processCalls(memory: GuestMemory) {
  const noList = (count: number, size: number) => {
    memory.u32(count, 0);
    memory.u32(size, 0);
  };
  return {
    args_get: () => errno.success,
    args_sizes_get: noList,
    environ_get: () => errno.success,
    environ_sizes_get: noList,
    clock_res_get: (_id: number, at: number) => memory.u64(at, 1_000_000n),
    clock_time_get: (id: number, _precision: bigint, at: number) => memory.u64(at, timeOf(id)),
    random_get: (at: number, length: number) => {
      const bytes = memory.bytes(at, length);
      for (let from = 0; from < bytes.length; from += MOST_RANDOM)
        randomFillSync(bytes.subarray(from, from + MOST_RANDOM));
    },
    sched_yield: () => errno.success,
    proc_exit: (code: number) => {
      throw new WasiExit(code);
    },
    proc_raise: () => errno.nosys,
    poll_oneoff: (subscriptions: number, events: number, count: number, at: number) =>
      poll(memory, subscriptions, events, count, at),
    sock_accept: () => errno.nosys,
    sock_recv: () => errno.nosys,
    sock_send: () => errno.nosys,
    sock_shutdown: () => errno.nosys,
  };
}

/** Waits for the earliest clock; descriptors are always ready. */
function poll(memory: GuestMemory, subscriptions: number, events: number, count: number, at: number): number {
  if (count === 0) return errno.inval;
  let wait: bigint | null = null;
  let clock = 0n;
  for (let index = 0; index < count; index++) {
    const view = memory.view(subscriptions + index * 48, 48);
    if (view.getUint8(8) !== 0) {
      wait = null;
      clock = view.getBigUint64(0, true);
      break;
    }
    const timeout = view.getBigUint64(24, true);
    const absolute = (view.getUint16(40, true) & 1) !== 0;
    const left = absolute ? timeout - timeOf(view.getUint32(16, true)) : timeout;
    if (wait === null || left < wait) {
      wait = left;
      clock = view.getBigUint64(0, true);
    }
  }
  if (wait !== null && wait > 0n) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(wait) / 1_000_000);
  }
  const event = memory.view(events, 32);
  for (let byte = 0; byte < 32; byte++) event.setUint8(byte, 0);
  event.setBigUint64(0, clock, true);
  return memory.u32(at, 1);
}
