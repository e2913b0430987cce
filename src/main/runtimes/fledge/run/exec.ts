import { realpath, stat } from "node:fs/promises";
import posixOrWin32, { type PlatformPath, resolve } from "node:path";
import { Program } from "../../../platform/program.ts";
import type { Cell } from "../cell.ts";

const DEFAULT_TIMEOUT_S = 30;
const LONGEST_TIMEOUT_S = 300;
/** Most bytes of each output stream that are kept; the rest is read and dropped. */
const STREAM_LIMIT = 10 * 1024 * 1024;

export interface ExecResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface ExecOptions {
  command: string;
  cwd: string | null | undefined;
  /**
   * Seconds that the command may take. More than {@link LONGEST_TIMEOUT_S} counts as that; none as {@link
   * DEFAULT_TIMEOUT_S}.
   */
  timeout: number | null | undefined;
  projectRoot: string;
  pluginDir: string;
  env: Record<string, string>;
  cell?: Cell;
  /** When aborted, the command and everything it started are killed. */
  signal: AbortSignal;
}

/**
 * Runs a shell command for a plugin, inside the project or the plugin's folder, for at most five minutes. Never
 * rejects.
 */
export async function execCommand(options: ExecOptions): Promise<ExecResult> {
  const place = await findFolder(options);
  if ("refusal" in place) return { code: 1, stdout: "", stderr: place.refusal };
  if (options.signal.aborted) return { code: 1, stdout: "", stderr: "stopped" };
  const seconds = Math.min(options.timeout ?? DEFAULT_TIMEOUT_S, LONGEST_TIMEOUT_S);
  const [file, ...args] =
    process.platform === "win32" ? ["cmd", "/C", options.command] : ["/bin/sh", "-c", options.command];
  const child = new Program({
    file: file as string,
    args,
    cwd: place.folder,
    env: options.env,
    input: false,
    ...options.cell,
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  let timedOut = false;
  child.signalAfter(seconds * 1_000, "SIGKILL", () => {
    timedOut = true;
  });
  const stop = () => child.signal("SIGKILL");
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    const { code } = await child.ended;
    if (timedOut) return { code: 124, stdout: "", stderr: `command timed out after ${seconds}s` };
    return { code: code ?? 1, stdout: stdout(), stderr: stderr() };
  } catch (error) {
    return { code: 1, stdout: "", stderr: error instanceof Error ? error.message : String(error) };
  } finally {
    options.signal.removeEventListener("abort", stop);
  }
}

async function findFolder(options: ExecOptions): Promise<{ folder: string } | { refusal: string }> {
  const { cwd, projectRoot, pluginDir } = options;
  const wanted = resolve(projectRoot, cwd ?? ".");
  const folder = await realpath(wanted).catch(() => null);
  if (folder === null || !(await stat(folder)).isDirectory()) {
    return { refusal: `cwd "${cwd ?? "."}" does not exist` };
  }
  for (const root of [projectRoot, pluginDir]) {
    const real = await realpath(root).catch(() => null);
    if (real !== null && isInside(real, folder)) return { folder };
  }
  return { refusal: `cwd "${cwd ?? "."}" escapes the project root and the plugin directory` };
}

/** Whether a path is a folder or lies below it; both must be real paths. */
export function isInside(folder: string, path: string, rules: PlatformPath = posixOrWin32): boolean {
  const way = rules.relative(folder, path);
  // On Windows the way to another drive is absolute.
  return way === "" || (way !== ".." && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way));
}

/** Reads a stream to its end, whatever its length, and keeps its beginning. */
function collect(stream: NodeJS.ReadableStream): () => string {
  const kept: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    const room = STREAM_LIMIT - size;
    if (room <= 0) return;
    kept.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    size += Math.min(chunk.length, room);
  });
  return () => Buffer.concat(kept).toString("utf8");
}
