import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { thisComputer } from "../../../platform/walls/network/proxy.ts";
import type { Attempt, NetworkJudge, Wall } from "../../../platform/walls/wall.ts";
import type { WorkPlace } from "../../../platform/workspace.ts";

/** What git reads of a person's settings. Credentials are not among it. */
const gitSettings = [".gitconfig", join(".config", "git")];

/**
 * The wall of a command of the tool `shell`: all programs, the workspace to work in, the network as the judge says, and of
 * the person's home folder only the settings of git.
 */
export function shellWall(
  { workspace, root }: WorkPlace,
  network: NetworkJudge,
  refused: (attempt: Attempt) => void,
): Wall {
  return {
    read: gitSettings.map((name) => join(homedir(), name)).filter(existsSync),
    write: [workspace],
    hidden: [root],
    programs: "any",
    network,
    refused,
  };
}

/** Servers that a command itself starts, such as those of tests, are reached without the proxy. */
export const withoutProxy = "localhost,127.0.0.1,::1";

/**
 * What a command that failed is told when it named a server of this computer: behind its wall, this computer is the wall's
 * inside. Null when it named none.
 */
export function hintOf(command: string): string | null {
  const [, port] = /\b(?:localhost|127\.0\.0\.1):(\d{1,5})\b/.exec(command) ?? [];
  if (port === undefined) return null;
  return `[Here, localhost is what this command itself started. A server of the person at port ${port}: http://${thisComputer}:${port}, of which they are asked.]`;
}
