import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Ngircd } from "../../test/channels/irc/ngircd.ts";
import { Core } from "../core/core.ts";
import type { Row } from "../row.ts";

// Most per cent of one core.
const goal = 1;
/** Kernel clock ticks per second, the unit of the times in /proc. */
const ticks = 100;

/**
 * What a connected IRC channel costs while nobody speaks: the share of its own process, and of the core because of it.
 */
export const idleChannel: Row = {
  id: "idle-channel",
  async run({ quick, log }) {
    if (process.platform !== "linux" || spawnSync("ngircd", ["--version"]).error) {
      log("idle-channel is left out: it needs Linux and ngircd.");
      return [];
    }
    const server = await Ngircd.open();
    try {
      await using core = await Core.open([]);
      const job = await core.client.jobs.install({ spec: "builtin:irc", yes: true });
      for await (const state of await core.client.jobs.watch({ id: job.id })) {
        if (state.status === "failed") throw new Error(state.problem?.message);
      }
      await core.client.agents.create({ id: "a", name: "a" });
      const seconds = quick ? 5 : 30;
      await pause(1_000);
      const without = await shares([process.pid], seconds);
      await core.client.agentPlugins.set({
        agentId: "a",
        key: "irc",
        enabled: true,
        config: {
          channel: {
            server: "127.0.0.1",
            port: server.port,
            encrypted: false,
            nick: "ada",
            users: ["*!*@*"],
          },
        },
      });
      const connected = async () =>
        (await core.client.agentPlugins.get({ agentId: "a", key: "irc" })).runtimeState?.account;
      for (let tries = 0; !(await connected()); tries += 1) {
        if (tries === 100) throw new Error("The channel did not connect.");
        await pause(100);
      }
      // Work that the start leaves behind must not be counted as idle.
      await pause(5_000);
      const host = await core.pid("a", "irc");
      const [own = 0, app = 0] = await shares([host, process.pid], seconds);
      const value = own + Math.max(0, app - (without[0] ?? 0));
      return [
        {
          row: "idle-channel",
          what: "A connected IRC channel in which nobody speaks: share of one core",
          value,
          unit: "%",
          baseline: null,
          goal: `≤ ${goal} %`,
          met: value <= goal,
          notes: { process: own, coreWith: app, coreWithout: without[0] ?? 0, seconds },
        },
      ];
    } finally {
      await server.close();
    }
  },
};

/** The share of one core, in per cent, that each process used over some seconds. */
async function shares(pids: number[], seconds: number): Promise<number[]> {
  const before = pids.map(cpuTicks);
  await pause(seconds * 1_000);
  return pids.map((pid, index) => ((cpuTicks(pid) - (before[index] ?? 0)) / ticks / seconds) * 100);
}

/**
 * User and system time of a process in ticks. The fields are counted from behind the name, which stands in brackets and
 * may hold spaces.
 */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
