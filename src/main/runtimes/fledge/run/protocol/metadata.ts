import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import type { Cell } from "../../cell.ts";
import { runGit } from "../run-git.ts";

/** Answers a metadata request: one entry for each key that was asked for, null for an unknown key. Never rejects. */
export async function readMetadata(
  keys: readonly string[],
  root: string,
  env: Record<string, string>,
  cell?: Cell,
): Promise<Record<string, unknown>> {
  const entries = await Promise.all(
    [...new Set(keys)].map(
      async (key): Promise<[string, unknown]> => [key, await entryOf(key, root, env, cell)],
    ),
  );
  return Object.fromEntries(entries);
}

async function entryOf(
  key: string,
  root: string,
  env: Record<string, string>,
  cell?: Cell,
): Promise<unknown> {
  switch (key) {
    case "fledge_config":
      return readConfig(root);
    case "git_tags":
      return lines(await runGit(["tag", "--sort=-version:refname"], root, env, cell)).slice(0, 100);
    case "git_status":
      return lines(await runGit(["status", "--porcelain"], root, env, cell));
    case "git_log":
      return lines(await runGit(["log", "--oneline", "-n", "20"], root, env, cell));
    case "env":
      return shareable(env);
    default:
      return null;
  }
}

async function readConfig(root: string): Promise<unknown> {
  try {
    return JSON.parse(
      JSON.stringify(parse(await readFile(join(root, "fledge.toml"), "utf8")), (_key, value: unknown) =>
        typeof value === "bigint" ? Number(value) : value,
      ),
    );
  } catch {
    return null;
  }
}

function lines(text: string | null): string[] {
  return (text ?? "").split("\n").filter((line) => line !== "");
}

const PRIVATE_NAME = /secret|token|password|key|credential|auth|private|session|cookie/i;
const LOADER_NAME = /^(?:ld_preload|ld_library_path|dyld_|kubeconfig)/i;
const ADDRESS_NAME = /_(?:url|uri|dsn)$/i;

/** The environment without what may be a secret, by fledge's own rules. */
export function shareable(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) =>
        !PRIVATE_NAME.test(name) &&
        !LOADER_NAME.test(name) &&
        !ADDRESS_NAME.test(name) &&
        !(value.includes("@") && value.includes(":")),
    ),
  );
}
