import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import type { SecretInfo, SetupView, Snapshot } from "../../src/contract/index.ts";
import { family } from "../stand-in/processes.ts";
import { ask } from "./core.ts";

/** What a running app holds: wizards as it says, processes, sockets and files as the system says. */
interface Held {
  setups: SetupView[];
  processes: number;
  listening: string[];
  files: string[];
}

/** What was there before a setup began. After the setup, the same must be there and nothing else. */
export class Traces {
  readonly #home: string;
  readonly #before: Held;

  private constructor(home: string, before: Held) {
    this.#home = home;
    this.#before = before;
  }

  static async before(home: string): Promise<Traces> {
    // A wizard that was just closed is listed until its row is gone, and a file that is being written has another name.
    let before = await held(home);
    const unfinished = async () => {
      before = await held(home);
      return [...before.setups, ...before.files.filter((file) => file.endsWith(".tmp"))];
    };
    await expect.poll(unfinished, { message: "what is unfinished before the setup" }).toEqual([]);
    return new Traces(home, before);
  }

  /** Waits until no wizard, process, listening socket or file is left that was not there before. */
  async expectNone(): Promise<void> {
    await expect
      .poll(() => held(this.#home), { message: "what the setup left behind" })
      .toEqual(this.#before);
  }
}

/** What runs when no plugin and no wizard does. */
export interface Quiet {
  processes: number;
  listening: string[];
}

export async function quiet(home: string): Promise<Quiet> {
  const { processes, listening } = await held(home);
  return { processes, listening };
}

/**
 * Cancels the wizards that a spec has left open and removes the plugins that it has set up. Then no wizard, row,
 * secret, process or listening socket of them may be left.
 */
export async function expectNothingBut(home: string, before: Quiet): Promise<void> {
  const now = () => ask<Snapshot>(home, "GET", "/snapshot");
  for (const { agentId, pluginKey, id } of (await now()).setups)
    await ask(home, "POST", `/agents/${agentId}/plugins/${pluginKey}/setup/cancel`, { sessionId: id });
  for (const { agentId, pluginKey } of (await now()).agentPlugins)
    await ask(home, "DELETE", `/agents/${agentId}/plugins/${pluginKey}`);
  await expect
    .poll(async () => {
      const snapshot = await now();
      const secrets = await ask<SecretInfo[]>(home, "GET", "/secrets");
      const rows = snapshot.agentPlugins.map(({ pluginKey }) => pluginKey);
      return { ...(await quiet(home)), setups: snapshot.setups, rows, secrets };
    }, "what is left after the spec")
    .toEqual({ ...before, setups: [], rows: [], secrets: [] });
}

/** The process ids of the app that runs on this home and of all that it started. */
export function processesOf(home: string): number[] {
  const { pid } = JSON.parse(readFileSync(join(home, "lock"), "utf8")) as { pid: number };
  return family(pid);
}

async function held(home: string): Promise<Held> {
  const { setups } = await ask<{ setups: SetupView[] }>(home, "GET", "/snapshot");
  const pids = processesOf(home);
  // The program that listed the processes is in the list, too, and has ended by now.
  const alive = pids.filter((pid) => commandOf(pid) !== null);
  return { setups, processes: alive.length, listening: listening(alive), files: filesOf(home) };
}

/** Addresses at which these processes accept connections. */
export function listening(pids: readonly number[]): string[] {
  if (process.platform !== "linux") return listeningByLsof(pids);
  const open = new Set(pids.flatMap(socketsOf));
  return ["tcp", "tcp6"]
    .flatMap((table) => readFileSync(`/proc/net/${table}`, "utf8").trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === "0A" && open.has(inode ?? ""))
    .map(([, address]) => address ?? "")
    .sort();
}

function listeningByLsof(pids: readonly number[]): string[] {
  const output = execFileSync("lsof", ["-nP", "-a", "-iTCP", "-sTCP:LISTEN", "-Fn", "-p", pids.join(",")], {
    encoding: "utf8",
  });
  return output
    .split("\n")
    .filter((line) => line.startsWith("n"))
    .sort();
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
      return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
    });
  } catch {
    // The process has ended since it was listed.
    return [];
  }
}

function commandOf(pid: number): string | null {
  try {
    return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

/**
 * The files that Patchbay itself keeps, without their older copies. The desktop app's browser engine has its own
 * folder, which is left out.
 */
function filesOf(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .filter((name) => !/^electron[\\/]|\.bak\d$/.test(name))
    .sort();
}
