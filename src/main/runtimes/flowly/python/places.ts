import { constants, existsSync } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { hostEnvironment } from "../../../platform/host-environment.ts";
import { Program } from "../../../platform/program.ts";

/** How a Python was come by. `launcher`: the `py` of Windows knows it. */
export type Origin = "setting" | "path" | "pyenv" | "launcher";

/** A program that may be Python. */
interface Candidate {
  file: string;
  from: Origin;
}

const windows = process.platform === "win32";
const LAUNCHER_MS = 5_000;

/** What may be Python on this machine, the one that a person means by `python3` first. Nothing is run but Windows' `py`. */
export async function candidates(
  env: NodeJS.ProcessEnv,
  chosen: string | null,
  path: string,
): Promise<Candidate[]> {
  const own: Candidate[] = chosen === null ? [] : [{ file: chosen, from: "setting" }];
  return [...own, ...(await onPath(path)), ...(await ofPyenv(env)), ...(await ofLauncher(env, path))];
}

/** In the order in which a shell would find them: every `python3`, every `python`, then `python3.13`, `python3.12`, … */
async function onPath(path: string): Promise<Candidate[]> {
  const folders = [...new Set(path.split(delimiter))].filter(isAbsolute);
  const plain: string[] = [];
  for (const name of windows ? ["python3.exe", "python.exe"] : ["python3", "python"])
    plain.push(...folders.map((folder) => join(folder, name)));
  const numbered: string[] = [];
  for (const folder of folders) {
    // A version manager has one for every version that it can install, and its own folder is looked at below.
    if (basename(folder) === "shims") continue;
    const names = (await namesIn(folder)).filter((name) => /^python3\.\d+(?:\.exe)?$/.test(name));
    numbered.push(...names.map((name) => join(folder, name)));
  }
  numbered.sort((one, other) => newestFirst(basename(one), basename(other)));
  return (await programsOf([...plain, ...numbered])).map((file) => ({ file, from: "path" }));
}

async function ofPyenv(env: NodeJS.ProcessEnv): Promise<Candidate[]> {
  const home = env.HOME ?? homedir();
  const roots = [env.PYENV_ROOT, join(home, ".pyenv"), join(home, ".pyenv", "pyenv-win")];
  const found: Candidate[] = [];
  for (const root of new Set(roots)) {
    if (!root) continue;
    const versions = join(root, "versions");
    const names = (await namesIn(versions)).sort(newestFirst);
    const files = names.map((name) => join(versions, name, windows ? "python.exe" : "bin/python"));
    found.push(...(await programsOf(files)).map((file) => ({ file, from: "pyenv" as const })));
  }
  return found;
}

/** The list of Windows' launcher, its own choice first. */
async function ofLauncher(env: NodeJS.ProcessEnv, path: string): Promise<Candidate[]> {
  if (!windows) return [];
  const child = new Program({
    file: "py",
    args: ["-0p"],
    cwd: homedir(),
    env: { ...hostEnvironment(env), PATH: path },
    input: false,
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  child.stderr.resume();
  child.signalAfter(LAUNCHER_MS, "SIGKILL");
  const ended = await child.ended.catch(() => null);
  return ended === null ? [] : listedByLauncher(text).map((file) => ({ file, from: "launcher" }));
}

/** The paths in what `py -0p` prints; the line of its own choice has a star. */
export function listedByLauncher(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const sorted = [
    ...lines.filter((line) => line.includes(" *")),
    ...lines.filter((line) => !line.includes(" *")),
  ];
  return sorted.flatMap((line) => /([A-Za-z]:\\.*\.exe)\s*$/.exec(line)?.[1] ?? []);
}

async function programsOf(files: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const file of files) {
    if (isPlaceholder(file)) continue;
    const canRun = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (canRun) found.push(file);
  }
  return found;
}

/** Programs that offer to install Python in the place of being it, in a window that nobody asked for. */
function isPlaceholder(file: string): boolean {
  if (windows) return /\\WindowsApps\\/i.test(file);
  if (process.platform !== "darwin" || !file.startsWith("/usr/bin/")) return false;
  return (
    !existsSync("/Library/Developer/CommandLineTools/usr/bin/python3") &&
    !existsSync("/Applications/Xcode.app")
  );
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** By the numbers in them, `python3.13` before `python3.9`. */
function newestFirst(one: string, other: string): number {
  return other.localeCompare(one, "en", { numeric: true });
}
