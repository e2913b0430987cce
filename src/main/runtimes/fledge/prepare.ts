import { chmod, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { PatchbayError, type Plugin } from "../../../contract/index.ts";
import { Program } from "../../platform/program.ts";
import { folderOf } from "../artifact.ts";
import type { PrepareOptions } from "../runtime.ts";
import { buildOf } from "./build.ts";
import { buildCell, type Cell } from "./cell.ts";
import { detailsOf } from "./details.ts";
import { programEnvironment } from "./environment.ts";
import type { FledgeManifest } from "./manifest/plugin-toml.ts";
import { findProgram, lookUp } from "./manifest/program-file.ts";
import { splitWords } from "./manifest/shell-words.ts";
import { logLines } from "./run/output/log-lines.ts";

/** Milliseconds that one hook may take. */
const HOOK_LIMIT_MS = 10 * 60_000;

/**
 * Makes a plugin ready to run: builds it when the person allowed that, and makes its programs executable.
 * @throws PatchbayError SCRIPT_FAILED, PROGRAM_MISSING
 */
export async function prepareFiles(
  dir: string,
  manifest: FledgeManifest,
  path: string,
  options: PrepareOptions & { root: string },
): Promise<void> {
  const cell = buildCell(dir, options.root, options.log);
  const build = await buildOf(dir, manifest);
  if (build !== null && options.allowScripts) await runHook("build", build, dir, path, { ...options, cell });
  else if (build !== null) options.skipped?.("build");
  for (const { binary } of manifest.commands)
    await makeExecutable(dir, binary, build !== null && !options.allowScripts);
  const { post_install } = manifest.hooks;
  if (post_install !== undefined && options.allowScripts)
    await runHook("post_install", post_install, dir, path, { ...options, cell });
  else if (post_install !== undefined) options.skipped?.("post_install");
}

/** @throws PatchbayError SCRIPT_FAILED, PROGRAM_MISSING */
export async function runRemovalHook(
  plugin: Plugin,
  path: string,
  options: PrepareOptions & { root: string },
): Promise<void> {
  const hook = detailsOf(plugin.declaration).scripts.find(({ name }) => name === "post_remove");
  if (hook && options.allowScripts)
    await runHook("post_remove", hook.command, folderOf(plugin.artifact), path, {
      ...options,
      cell: buildCell(folderOf(plugin.artifact), options.root, options.log),
    });
}

/**
 * Runs a hook as fledge does: a file of that name in the plugin's folder, else the words of the text; never a shell.
 * @throws PatchbayError SCRIPT_FAILED, PROGRAM_MISSING
 */
export async function runHook(
  name: string,
  command: string,
  dir: string,
  path: string,
  options: Omit<PrepareOptions, "allowScripts"> & {
    cwd?: string;
    env?: Record<string, string>;
    limitMs?: number;
    cell?: Cell;
  },
): Promise<void> {
  options.signal.throwIfAborted();
  const [file, ...args] = await hookProgram(name, command, dir, path);
  options.log(`Runs the hook ${name}: ${command}`);
  const { FLEDGE_PLUGIN_DIR = dir, ...more } = options.env ?? {};
  const env = programEnvironment(path, FLEDGE_PLUGIN_DIR, more);
  const child = new Program({ file, args, cwd: options.cwd ?? dir, env, input: false, ...options.cell });
  let last = "";
  for (const stream of [child.stdout, child.stderr]) {
    logLines(stream, (line) => {
      last = line;
      options.log(line);
    });
  }
  const stop = () => child.signal("SIGKILL");
  child.signalAfter(options.limitMs ?? HOOK_LIMIT_MS, "SIGKILL");
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    const { code, signal } = await child.ended;
    options.signal.throwIfAborted();
    if (code === 0) return;
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    throw new PatchbayError(
      "SCRIPT_FAILED",
      `The hook ${name} (${command}) ${how}${last ? `: ${last}` : ""}.`,
    );
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw new PatchbayError(
      "SCRIPT_FAILED",
      `The hook ${name} (${command}) did not start: ${error.message}.`,
      { cause: error },
    );
  } finally {
    options.signal.removeEventListener("abort", stop);
  }
}

async function hookProgram(
  name: string,
  command: string,
  dir: string,
  path: string,
): Promise<[string, ...string[]]> {
  const own = await ownProgram(name, command, dir);
  if (own !== null) {
    await chmod(own, (await stat(own)).mode | 0o111);
    return [own];
  }
  const [program, ...args] = splitWords(command);
  if (program === undefined) throw new PatchbayError("SCRIPT_FAILED", `The hook ${name} is empty.`);
  const isPath = program.includes("/") && !isAbsolute(program);
  // Only what was installed: later there could be something of that name that the plugin made itself.
  const found = isPath ? await ownProgram(name, program, dir) : await lookUp(program, path);
  if (found === null) {
    throw new PatchbayError(
      "PROGRAM_MISSING",
      `The hook ${name} (${command}) needs ${program}, which is not on this machine.`,
      {
        help: isAbsolute(program)
          ? `Install it at that place, or ask the plugin's author to name it without one.`
          : `Install ${program}, then try again. Looked for in: ${path}.`,
      },
    );
  }
  return [found, ...args];
}

/** The file of that name in the plugin's folder; null when there is none. @throws PatchbayError UNSAFE_PACKAGE */
async function ownProgram(name: string, path: string, dir: string): Promise<string | null> {
  const own = await realpath(join(dir, path)).catch(() => null);
  if (own === null || !(await stat(own)).isFile()) return null;
  if (own.startsWith((await realpath(dir)) + sep)) return own;
  throw new PatchbayError("UNSAFE_PACKAGE", `The hook ${name} leads out of the plugin's folder.`);
}

async function makeExecutable(dir: string, binary: string, mayBeMissing: boolean): Promise<void> {
  try {
    const file = await findProgram(dir, binary);
    await chmod(file, (await stat(file)).mode | 0o111);
  } catch (error) {
    if (!mayBeMissing) throw error;
  }
}
