import { readFileSync } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { isIPv6, SocketAddress } from "node:net";
import type { Attempt } from "../wall.ts";

/** Sockets that the C library looks for by itself, in each program that asks for a user or a name. */
const asked = /^\/(?:var\/)?run\/(?:nscd|systemd|avahi-daemon)\/|^\/dev\/log$/;

/**
 * What a line of the watcher says that a process tried, when it is something that the person should see. What does not
 * exist on this side of the wall either is no attempt: programs look for much that is not there.
 *
 * @param isForeign whether a process with this number cannot be, or have been, one behind the same wall
 */
export async function attemptOf(
  words: readonly string[],
  isForeign: (pid: number) => boolean,
): Promise<Attempt | null> {
  const [what = "", first = "", second = ""] = words;
  const seen = (wall: Attempt["wall"], target: string): Attempt => ({ wall, target, seenBy: "wall" });
  switch (what) {
    case "call":
      return seen("programs", `the system call ${first}`);
    case "more":
      return seen("programs", "more than can be told one by one");
    case "listen":
      return seen("network", `anyone who connects to port ${first}`);
    case "names":
      return seen("network", "a name server past Patchbay's proxy");
    case "place":
      return seen("network", `${addressOf(first)}:${second} past Patchbay's proxy`);
    case "socket": {
      const path = textOf(first);
      const exists = path.startsWith("@") ? await isListening(path) : await isThere(path);
      return exists && !asked.test(path) ? seen("network", `the socket ${path}`) : null;
    }
    case "signal":
      if (first === "-1") return seen("signals", "process -1");
      return isForeign(Number(first)) && (await isProgram(first))
        ? seen("signals", `process ${first}`)
        : null;
    case "program": {
      const path = textOf(first);
      return (await isThere(path)) ? seen("programs", path) : null;
    }
    case "file":
      return (await isWanted(first, textOf(second), isForeign)) ? seen("files", textOf(second)) : null;
    default:
      return null;
  }
}

async function isWanted(kind: string, path: string, isForeign: (pid: number) => boolean): Promise<boolean> {
  if (kind === "system" || kind === "kept") return true;
  if (kind !== "process") return isThere(path);
  const pid = /^\/proc\/(\d+)/.exec(path)?.[1] ?? "0";
  return isForeign(Number(pid)) && isProgram(pid);
}

/** The last number that the system gave to a process; 0 when it does not say. */
export function lastProcess(): number {
  try {
    return Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1)) || 0;
  } catch {
    return 0;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether it is a program: a process of the kernel has no command line. */
async function isProgram(pid: string): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")) !== "";
}

async function isListening(name: string): Promise<boolean> {
  const list = await readFile("/proc/net/unix", "utf8").catch(() => "");
  return list.split("\n").some((line) => line.endsWith(` ${name}`));
}

function addressOf(hex: string): string {
  const bytes = Buffer.from(hex, "hex");
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, at) => bytes.subarray(2 * at, 2 * at + 2).toString("hex"));
  const written = groups.join(":");
  return isIPv6(written) ? `[${new SocketAddress({ address: written, family: "ipv6" }).address}]` : written;
}

function textOf(hex: string): string {
  return Buffer.from(hex, "hex").toString("utf8");
}
