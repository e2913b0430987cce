import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as tick } from "node:timers/promises";
import Conf from "conf";
import { expect, test } from "vitest";
import { z } from "zod";
import { PatchbayError, type Problem } from "../../src/contract/index.ts";
import type { StoreEngine } from "../../src/main/store/index.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { type Ground, storageConformance } from "./conformance.ts";
import { leaseMs, MemoryStorage, Server } from "./memory-storage.ts";

/** Moves the clock forward in steps of half a second, and after each lets the work that became due finish. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    clock.advance(Math.min(left, 500));
    for (let turn = 0; turn < 4; turn += 1) await tick();
  }
}

async function files(): Promise<Ground> {
  const home = await mkdtemp(join(tmpdir(), "patchbay-conformance-"));
  const clock = new FakeClock();
  const notices: Problem[] = [];
  let fails = false;
  const engine: StoreEngine = ({ name, ...options }) => {
    const conf = new Conf<Record<string, unknown>>({ ...options, configName: name });
    return {
      set store(value: Record<string, unknown>) {
        const refused = fails;
        fails = false;
        if (refused) throw Object.assign(new Error("the disk refuses"), { code: "EIO" });
        conf.store = value;
      },
    };
  };
  return {
    open: () => openFileStorage({ home, engine, clock, onNotice: (problem) => notices.push(problem) }),
    failNext: () => {
      fails = true;
    },
    takeOver: async () => {
      const lock = { token: "another", pid: process.pid, started: null, takenAt: Date.now() };
      await writeFile(join(home, "lock"), JSON.stringify(lock));
    },
    pass: (ms) => pass(clock, ms),
    close: () => rm(home, { recursive: true, force: true }),
  };
}

async function memory(): Promise<Ground> {
  const server = new Server();
  const clock = new FakeClock();
  let fails = false;
  const network = {
    async beforeWrite() {
      const refused = fails;
      fails = false;
      await tick();
      if (refused) throw new PatchbayError("WRITE_FAILED", "The network is away.");
    },
  };
  return {
    open: () => new MemoryStorage(server, network, clock, () => {}),
    failNext: () => {
      fails = true;
    },
    takeOver: async () => {
      server.generation += 1;
      server.holder = { id: "another", heardAt: clock.now() };
    },
    pass: (ms) => pass(clock, ms),
    close: async () => {},
  };
}

storageConformance("files", files);
storageConformance("a slow server that may fail", memory);

test("over a server, the lease of a holder that fell silent is taken over, and the old holder hears of it", async () => {
  const server = new Server();
  const network = { beforeWrite: () => tick() };
  const [silent, other] = [new FakeClock(), new FakeClock()];
  const first = await new MemoryStorage(server, network, silent, () => {}).leases.acquire();
  const again = new MemoryStorage(server, network, other, () => {});
  await expect(again.leases.acquire()).rejects.toMatchObject({ code: "HOME_IN_USE" });
  other.advance(leaseMs);
  const second = await again.leases.acquire();
  expect(second.generation).toBe(first.generation + 1);
  silent.advance(leaseMs / 3);
  expect(first.lost.aborted).toBe(true);
  expect(second.lost.aborted).toBe(false);
});

test("over a server, a change is computed anew when another process was faster", async () => {
  const server = new Server();
  const clock = new FakeClock();
  const open = () => new MemoryStorage(server, { beforeWrite: () => tick() }, clock, () => {});
  const starts = { name: "starts" as const, schema: z.number(), version: 1 };
  const [one, two] = [open().rows(starts), open().rows(starts)];
  const more = (count = 0) => count + 1;
  await Promise.all([one.change("only", more), two.change("only", more), one.change("only", more)]);
  await two.change("only", more);
  expect(two.get("only")).toBe(4);
  const seen = open().rows(starts);
  expect(seen.get("only")).toBe(4);
});
