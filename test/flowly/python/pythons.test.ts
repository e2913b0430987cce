import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostEnvironment } from "../../../src/main/platform/host-environment.ts";
import { lineProcess } from "../../../src/main/platform/lines/line-process.ts";
import { spawnNodeHost } from "../../../src/main/platform/spawned-host.ts";
import { wallReport } from "../../../src/main/platform/walls/start.ts";
import { findInterpreters } from "../../../src/main/runtimes/flowly/python/interpreters.ts";
import { Pythons } from "../../../src/main/runtimes/flowly/python/pythons.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-python-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The Python of this machine that `python3` means. */
const real = execFileSync("python3", ["-c", "import os, sys; print(os.path.realpath(sys.executable))"], {
  encoding: "utf8",
}).trim();

/** Everything that Python needs is asked for: its own modules, those of the system's libraries, and packages. */
const host = `
import helper, json, os, socket, sys, ssl, ctypes, sqlite3, zlib
wire = socket.socket(fileno=int(os.environ["PATCHBAY_WIRE_FD"]))
sees = [each for each in sys.argv[1:] if os.path.exists(each)]
said = {"t": "log", "version": sys.version.split()[0], "cached": helper.__cached__, "from": helper.loaded_from(), "sees": sees}
wire.sendall((json.dumps(said) + "\\n").encode())
wire.recv(1)
`;
const helper = `
def loaded_from():
    return [__spec__.cached if __import__("os").path.exists(__spec__.cached) else None][0]
`;

async function hostFolder(): Promise<string> {
  await mkdir(join(folder, "resources", "flowly-host"), { recursive: true });
  await writeFile(join(folder, "resources", "flowly-host", "main.py"), host);
  await writeFile(join(folder, "resources", "flowly-host", "helper.py"), helper);
  return join(folder, "resources");
}

async function program(path: string, script: string): Promise<string> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const only = (...folders: string[]) => ({
  env: { HOME: folder, PATH: folders.join(":") },
  loginPath: { get: async () => folders.join(":") },
});

async function pythons(
  options: Partial<ConstructorParameters<typeof Pythons>[0]> = {},
  python: string | null = null,
) {
  return new Pythons({
    settings: { get: () => ({ python }) },
    root: join(folder, "home"),
    resourcesDir: await hostFolder(),
    ...options,
  });
}

describe("the Pythons of a machine", () => {
  test("a shim is the program that it stands for", async () => {
    const bin = join(folder, "shims");
    await program(join(bin, "python3"), `exec "${real}" "$@"`);
    const [found] = await findInterpreters({ HOME: folder }, null, `${bin}:/bin`);
    expect(found).toMatchObject({ path: real, from: "path", usable: true, why: null });
    expect(found?.version).toMatch(/^3\.\d+\.\d+$/);
  });

  test("every name of one Python is one, and a folder of pyenv is looked through", async () => {
    const bin = join(folder, "bin");
    await mkdir(bin);
    for (const name of ["python3", "python", "python3.9"]) await symlink(real, join(bin, name));
    await mkdir(join(folder, ".pyenv/versions/3.99.0/bin"), { recursive: true });
    await symlink(real, join(folder, ".pyenv/versions/3.99.0/bin/python"));
    const onPath = await findInterpreters({ HOME: folder }, null, bin);
    expect(onPath.map(({ path, from }) => [path, from])).toEqual([[real, "path"]]);
    const byPyenv = await findInterpreters({ HOME: folder }, null, "");
    expect(byPyenv.map(({ path, from }) => [path, from])).toEqual([[real, "pyenv"]]);
  });

  test("one that is too old is said to be, one that is no Python is left out, the chosen one is named anyway", async () => {
    const bin = join(folder, "bin");
    const old = JSON.stringify({
      version: [3, 8, 18],
      executable: join(bin, "python3"),
      prefix: "/opt/old",
      base: "/opt/old",
      stdlib: [],
      site: [],
      path: [],
      libraries: [],
    });
    await program(join(bin, "python3"), `printf '%s' '__patchbay_python__${old}__patchbay_python__'`);
    const broken = await program(
      join(bin, "python"),
      "echo 'pyenv: python: command not found' >&2; exit 127",
    );
    const all = await findInterpreters({ HOME: folder }, broken, bin);
    expect(all.map(({ path, usable, why }) => [path, usable, why])).toEqual([
      [broken, false, "silent"],
      [join(bin, "python3"), false, "old"],
    ]);
    expect(await (await pythons(only(bin))).pick().catch((error) => error.toProblem())).toMatchObject({
      code: "PYTHON_TOO_OLD",
      details: { version: "3.8.18", file: join(bin, "python3") },
    });
    const gone = join(folder, "gone");
    expect(await (await pythons(only(bin), gone)).pick().catch((error) => error.toProblem())).toMatchObject({
      code: "PYTHON_MISSING",
      message: `${gone} is no Python that runs.`,
    });
  });

  test("none at all is said with the way to get one, and one that was installed since is found", async () => {
    const bin = join(folder, "bin");
    const all = await pythons(only(bin));
    await expect(all.pick()).rejects.toMatchObject({
      code: "PYTHON_MISSING",
      message: "No Python was found on this machine.",
      help: expect.stringContaining("Settings, Python"),
    });
    await mkdir(bin);
    await symlink(real, join(bin, "python3"));
    expect((await all.pick()).file).toBe(real);
    expect(await all.used()).toMatchObject({ path: real });
  });

  test("a virtual environment counts only where nothing else does", async () => {
    execFileSync(real, ["-m", "venv", "--without-pip", join(folder, "venv")]);
    const bin = join(folder, "venv", "bin");
    const other = join(folder, "bin");
    await mkdir(other);
    await symlink(real, join(other, "python3"));
    const found = await findInterpreters({ HOME: folder }, null, `${bin}:${other}`);
    expect(found.map(({ path, from }) => [path, from])).toEqual([
      [real, "path"],
      [expect.stringContaining(bin), "venv"],
    ]);
  });
});

/** Starts the host of a Python behind a wall that shows nothing else, and returns what it says. */
async function started(all: Pythons, root: string, asked: string[] = []) {
  const python = await all.pick();
  const process = spawnNodeHost({
    file: python.file,
    args: [...python.args, python.main, ...asked],
    cwd: tmpdir(),
    env: hostEnvironment(),
    wire: "private",
    wall: { read: python.read, write: [], hidden: [root], programs: "none" },
  });
  let printed = "";
  process.onOutput((_stream, chunk) => {
    printed += chunk;
  });
  const lines = lineProcess(process);
  try {
    return await new Promise<Record<string, unknown>>((resolve, reject) => {
      lines.onMessage((message) => resolve(message as Record<string, unknown>));
      lines.onExit((exit) => reject(new Error(`${JSON.stringify(exit)} ${printed}`)));
    });
  } finally {
    lines.kill();
  }
}

describe.skipIf(!wallReport().stands)("behind a wall", () => {
  const installed = ["/usr/bin/python3", join(homedir(), ".pyenv/versions/3.9.18/bin/python"), real];
  test.each(installed)("%s runs with its library, and its host compiles nothing", async (chosen) => {
    const root = join(folder, "home");
    const all = await pythons({}, chosen);
    const others = [join(folder, "resources"), "/etc/shadow", join(homedir(), ".pyenv", "version")];
    const said = await started(all, root, others);
    const { version, main } = await all.pick();
    expect(said).toMatchObject({ version, sees: [] });
    expect(said.from).toContain(join(main, "..", "__pycache__"));
  });

  test("that of a virtual environment runs, too", async () => {
    execFileSync(real, ["-m", "venv", "--without-pip", join(folder, "venv")]);
    const all = await pythons({}, join(folder, "venv", "bin", "python"));
    expect(await started(all, join(folder, "home"))).toMatchObject({ version: (await all.pick()).version });
  });
});

test("the host's files are copied once for each content, and compiled once for each Python", async () => {
  const all = await pythons({}, real);
  const { main } = await all.pick();
  expect(await readdir(join(main, ".."))).toContain("helper.py");
  const compiled = await readdir(join(main, "..", "__pycache__"));
  expect(compiled.filter((name) => name.startsWith("helper."))).toHaveLength(1);
  expect((await (await pythons({}, real)).pick()).main).toBe(main);
  await writeFile(join(folder, "resources", "flowly-host", "helper.py"), "# another one\n");
  const other = new Pythons({
    settings: { get: () => ({ python: real }) },
    root: join(folder, "home"),
    resourcesDir: join(folder, "resources"),
  });
  expect((await other.pick()).main).not.toBe(main);
  expect(await readdir(join(folder, "home", "python", "host"))).toHaveLength(1);
});

test("without any files of a host a Python is picked all the same", async () => {
  const all = new Pythons({
    settings: { get: () => ({ python: real }) },
    root: join(folder, "home"),
    resourcesDir: join(folder, "none"),
  });
  expect((await all.pick()).file).toBe(real);
});
