import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { CliContext } from "../context.ts";

const WAIT_MS = 20_000;

/** A program ended: what it printed, or why there is nothing. */
export type Printed =
  | { kind: "printed"; text: string }
  | { kind: "missing" }
  | { kind: "failed"; why: string };

/** Runs a program of another tool that is on the person's PATH. Its arguments are ours, none of them is anybody's input. */
export function run({ env, cwd, signal }: CliContext, program: string, args: string[]): Promise<Printed> {
  return new Promise((resolve) => {
    const options = {
      env: env as NodeJS.ProcessEnv,
      cwd,
      signal,
      timeout: WAIT_MS,
      maxBuffer: 1024 * 1024,
      windowsHide: true,
      // Programs of npm are scripts on Windows.
      shell: process.platform === "win32",
    };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) return resolve({ kind: "printed", text: stdout });
      if ("code" in error && error.code === "ENOENT") return resolve({ kind: "missing" });
      const said = stderr.trim().split("\n").at(-1)?.slice(0, 200);
      resolve({ kind: "failed", why: error.killed ? "it took too long" : said || "it ended with an error" });
    });
  });
}

/** The folder in which npm keeps what was installed globally; null when npm is not there or does not say. */
export async function globalFolder(context: CliContext): Promise<string | null> {
  const printed = await run(context, "npm", ["root", "--global"]);
  const folder = printed.kind === "printed" ? printed.text.trim() : "";
  const found = folder === "" ? null : await stat(folder).catch(() => null);
  return found?.isDirectory() ? folder : null;
}

/** A package as it lies in the global folder. */
export interface GlobalPackage {
  dir: string;
  version: string;
}

const packageSchema = z.object({ name: z.string(), version: z.string().min(1) });

/** A globally installed package; null when it is not there, or when its folder holds another one. */
export async function globalPackage(folder: string | null, name: string): Promise<GlobalPackage | null> {
  if (folder === null) return null;
  const dir = join(folder, ...name.split("/"));
  try {
    const text = await readFile(join(dir, "package.json"), "utf8");
    const found = packageSchema.parse(JSON.parse(text.replace(/^\uFEFF/, "")));
    return found.name === name ? { dir, version: found.version } : null;
  } catch {
    return null;
  }
}
