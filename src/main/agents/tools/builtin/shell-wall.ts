import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { publicJudge } from "../../../platform/walls/network/public-judge.ts";
import type { Attempt, Wall } from "../../../platform/walls/wall.ts";
import type { WorkPlace } from "./workspace.ts";

/** What git reads of a person's settings. Credentials are not among it. */
const gitSettings = [".gitconfig", join(".config", "git")];

/**
 * The wall of a command of the tool `shell`: all programs, the workspace to work in, the public internet, and of the person's
 * home folder only the settings of git.
 */
export function shellWall({ workspace, root }: WorkPlace, refused: (attempt: Attempt) => void): Wall {
  return {
    read: gitSettings.map((name) => join(homedir(), name)).filter(existsSync),
    write: [workspace],
    hidden: [root],
    programs: "any",
    network: publicJudge(),
    refused,
  };
}

/** Servers that a command itself starts, such as those of tests, are reached without the proxy. */
export const withoutProxy = "localhost,127.0.0.1,::1";
