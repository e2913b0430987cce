import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hostEnvironment } from "../../../platform/host-environment.ts";
import { Program } from "../../../platform/program.ts";

/** Milliseconds that compiling our own few files may take. */
const COMPILE_MS = 60_000;

/** Left where the bytecode of an interpreter was made. */
const doneFile = (tag: string) => `.compiled-${tag}`;

/**
 * A copy of the host's Python files under Patchbay's own folder, with their bytecode beside them, so that a start compiles
 * nothing. They are copied because they may lie in an archive, or where nothing may be written. One folder for each content of
 * the files; what older versions of Patchbay left is removed.
 */
export class HostFiles {
  readonly #source: string;
  readonly #root: string;
  #copied: Promise<string> | undefined;
  readonly #compiled = new Map<string, Promise<void>>();

  /**
   * @param source folder with the host's files
   * @param root folder for the copies
   */
  constructor(source: string, root: string) {
    this.#source = source;
    this.#root = root;
  }

  /**
   * The folder with files that this interpreter can start at once. Without bytecode, when that could not be made, they run
   * all the same.
   */
  async readyFor(python: string, env: NodeJS.ProcessEnv): Promise<string> {
    this.#copied ??= this.#copy();
    const dir = await this.#copied.catch((error: unknown) => {
      this.#copied = undefined;
      throw error;
    });
    const compiled = this.#compiled.get(python) ?? compile(dir, python, env);
    this.#compiled.set(python, compiled);
    await compiled;
    return dir;
  }

  async #copy(): Promise<string> {
    const files = await filesBelow(this.#source);
    const hash = createHash("sha256");
    for (const [name, content] of files) hash.update(`${name}\0${content.length}\0`).update(content);
    const name = hash.digest("hex").slice(0, 16);
    const dir = join(this.#root, name);
    const others: string[] = await readdir(this.#root).catch(() => []);
    await Promise.all(
      others
        .filter((each) => each !== name)
        .map((each) => rm(join(this.#root, each), { recursive: true, force: true })),
    );
    if (others.includes(name)) return dir;
    const staging = join(this.#root, `.new-${randomUUID()}`);
    for (const [path, content] of files) {
      await mkdir(join(staging, path, ".."), { recursive: true });
      await writeFile(join(staging, path), content);
    }
    await mkdir(staging, { recursive: true });
    await rename(staging, dir);
    return dir;
  }
}

/** Bytecode that is taken as it is, without a look at the source: the name of the folder says what that is. */
async function compile(dir: string, python: string, env: NodeJS.ProcessEnv): Promise<void> {
  const tag = createHash("sha256").update(python).digest("hex").slice(0, 16);
  if ((await readdir(dir)).includes(doneFile(tag))) return;
  const program = new Program({
    file: python,
    args: ["-E", "-s", "-S", "-m", "compileall", "-q", "-f", "--invalidation-mode", "unchecked-hash", dir],
    cwd: dir,
    env: hostEnvironment(env),
    input: false,
  });
  program.stdout.resume();
  program.stderr.resume();
  program.signalAfter(COMPILE_MS, "SIGKILL");
  const ended = await program.ended.catch(() => null);
  if (ended?.code === 0) await writeFile(join(dir, doneFile(tag)), "");
}

/** Paths below a folder in order, with what the files hold; bytecode is left out. Empty when there is no such folder. */
async function filesBelow(dir: string, below = ""): Promise<[path: string, content: Buffer][]> {
  const found: [string, Buffer][] = [];
  const entries = await readdir(join(dir, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(below, entry.name);
    if (entry.isDirectory() && entry.name !== "__pycache__") found.push(...(await filesBelow(dir, path)));
    else if (entry.isFile()) found.push([path, await readFile(join(dir, path))]);
  }
  return found;
}
