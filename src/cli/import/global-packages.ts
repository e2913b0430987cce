import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Program } from "../../main/platform/program.ts";
import type { CliContext } from "../context.ts";

const WAIT_MS = 20_000;
const MOST_OUTPUT = 1024 * 1024;

/** A program ended: what it printed, or why there is nothing. */
export type Printed =
  | { kind: "printed"; text: string }
  | { kind: "missing" }
  | { kind: "failed"; why: string };

/** Runs a program of another tool that is on the person's PATH. Its arguments are ours, none of them is anybody's input. */
export async function run(context: CliContext, file: string, args: string[]): Promise<Printed> {
  const { cwd, signal } = context;
  signal.throwIfAborted();
  const env = Object.fromEntries(
    Object.entries(context.env).filter((one): one is [string, string] => one[1] !== undefined),
  );
  // Programs of npm are scripts on Windows, which its shell alone starts.
  const program = new Program(
    process.platform === "win32"
      ? {
          file: "cmd.exe",
          args: ["/d", "/s", "/c", `"${[file, ...args].join(" ")}"`],
          cwd,
          env,
          input: false,
          batch: true,
        }
      : { file, args, cwd, env, input: false },
  );
  const kill = () => program.signal("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  let isLate = false;
  program.signalAfter(WAIT_MS, "SIGKILL", () => {
    isLate = true;
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    program[name].setEncoding("utf8").on("data", (text: string) => {
      if (said[name].length < MOST_OUTPUT) said[name] += text;
    });
  }
  try {
    const { code } = await program.ended;
    signal.throwIfAborted();
    if (code === 0) return { kind: "printed", text: said.stdout };
    const last = said.stderr.trim().split("\n").at(-1)?.slice(0, 200);
    return { kind: "failed", why: isLate ? "it took too long" : last || "it ended with an error" };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "missing" };
    throw error;
  } finally {
    signal.removeEventListener("abort", kill);
  }
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
