import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { PatchbayError } from "../../../src/contract/index.ts";
import { wallReport } from "../../../src/main/platform/walls/start.ts";
import { withMissingModule } from "../../../src/main/runtimes/flowly/python/missing-module.ts";
import { Packages } from "../../../src/main/runtimes/flowly/python/packages.ts";
import { Pythons } from "../../../src/main/runtimes/flowly/python/pythons.ts";
import { requirementsOf } from "../../../src/main/runtimes/flowly/python/requirements.ts";
import { packageIndex } from "./package-index.ts";

let index: Awaited<ReturnType<typeof packageIndex>>;
beforeAll(async () => {
  index = await packageIndex([
    {
      name: "tiny-greeter",
      version: "1.0",
      module: "tiny_greeter",
      code: "HELLO = 'hello'\n",
      needs: ["tiny-base"],
    },
    { name: "tiny-base", version: "2.1", module: "tiny_base", code: "VERSION = '2.1'\n" },
    { name: "PyTiny", version: "3.0", module: "tiny", code: "" },
  ]);
});
afterAll(() => index.close());

let folder: string;
let dir: string;
let packages: Packages;
let pythons: Pythons;
let log: string[];
const told = (signal = new AbortController().signal) => ({
  signal,
  log: (text: string) => void log.push(text),
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-packages-"));
  dir = join(folder, "plugin");
  await mkdir(dir);
  log = [];
  const root = join(folder, "home");
  pythons = new Pythons({
    settings: { get: () => ({ python: null }) },
    root,
    resourcesDir: join(folder, "none"),
  });
  const { HOME, PATH } = process.env;
  packages = new Packages({ pythons, root, env: { HOME, PATH, ...index.env } });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const envs = () => readdir(join(folder, "home", "python", "packages", "greeter"));

/** What Python says with these folders of packages in front. */
async function says(code: string): Promise<string> {
  const python = await pythons.pick();
  const { site } = await packages.of("greeter", dir, python);
  const start = `import sys; sys.path[:0] = ${JSON.stringify(site)}\n`;
  return execFileSync(python.file, [...python.args, "-c", `${start}${code}`], { encoding: "utf8" }).trim();
}

test("what a requirements.txt names is installed with what that needs, from the person's own index, once", async () => {
  await writeFile(join(dir, "requirements.txt"), "# greets\ntiny-greeter >= 1.0  # the newest\n\n");
  const python = await pythons.pick();
  expect(await packages.of("greeter", dir, python)).toMatchObject({
    site: python.site,
    lacking: ["tiny-greeter >= 1.0"],
    installed: [],
  });
  await packages.install("greeter", dir, [], told());
  expect(await packages.of("greeter", dir, python)).toMatchObject({
    lacking: [],
    installed: ["tiny-greeter >= 1.0"],
  });
  expect(await says("import tiny_greeter, tiny_base; print(tiny_greeter.HELLO, tiny_base.VERSION)")).toBe(
    "hello 2.1",
  );
  expect(log).toContain("pip install -r requirements.txt");
  expect(log.join("\n")).toContain("Successfully installed");
  const asked = index.asked.length;
  await packages.install("greeter", dir, [], told());
  expect(index.asked).toHaveLength(asked);
  await packages.remove("greeter");
  expect(await packages.of("greeter", dir, python)).toMatchObject({ lacking: ["tiny-greeter >= 1.0"] });
});

test("a package that was added is remembered, and one that the file names is left to the file", async () => {
  await packages.install("greeter", dir, ["tiny-base"], told());
  expect(await says("import tiny_base; print(tiny_base.VERSION)")).toBe("2.1");
  await writeFile(join(dir, "requirements.txt"), "Tiny_Base==2.1\n");
  await packages.install("greeter", dir, ["pytiny"], told());
  const { installed } = await packages.of("greeter", dir, await pythons.pick());
  expect(installed).toEqual(["Tiny_Base==2.1", "pytiny"]);
});

test("what the person saw is installed, and nothing that came in since", async () => {
  await writeFile(join(dir, "requirements.txt"), "tiny-base\n");
  await expect(packages.installShown("greeter", dir, ["pytiny"], told())).rejects.toMatchObject({
    code: "STALE_REVISION",
    message: "The plugin asks for “tiny-base” as well by now.",
  });
  await packages.installShown("greeter", dir, ["tiny-base", "pytiny"], told());
  await packages.installShown("greeter", dir, ["tiny-greeter"], told());
  const { installed } = await packages.of("greeter", dir, await pythons.pick());
  expect(installed).toEqual(["tiny-base", "pytiny", "tiny-greeter"]);
});

test("what is no plain name is refused before anything runs", async () => {
  for (const name of [
    "--index-url=http://evil",
    "git+https://example.com/x",
    "tiny base",
    "../x",
    "tiny==1",
    "",
  ])
    await expect(packages.install("greeter", dir, [name], told())).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
  expect(log).toEqual([]);
});

test("a package that nobody has is said by its name, and nothing half-made is left", async () => {
  await expect(packages.install("greeter", dir, ["tiny-nothing"], told())).rejects.toMatchObject({
    code: "PACKAGE_NOT_FOUND",
    message: "The index of Python packages has no tiny-nothing that fits here.",
  });
  expect(await envs()).toEqual([]);
  expect((await packages.of("greeter", dir, await pythons.pick())).lacking).toEqual([]);
});

test("stopping it leaves what was there", async () => {
  await packages.install("greeter", dir, ["tiny-base"], told());
  const before = await envs();
  const stop = new AbortController();
  const done = packages.install("greeter", dir, ["tiny-greeter"], {
    signal: stop.signal,
    log: (text) => {
      if (text.startsWith("pip install")) stop.abort(new PatchbayError("ABORTED", "Stopped."));
    },
  });
  await expect(done).rejects.toMatchObject({ code: "ABORTED" });
  expect(await envs()).toEqual(before);
  expect(await says("import tiny_base; print(tiny_base.VERSION)")).toBe("2.1");
});

test.skipIf(!wallReport().stands)(
  "what pip builds sees neither Patchbay's folder nor the home, and reaches no neighbour",
  async () => {
    const neighbour = await packageIndex([]);
    await mkdir(join(folder, "home"), { recursive: true });
    await writeFile(join(folder, "secret"), "x");
    const probe = `
import os, urllib.request
seen = [each for each in (${JSON.stringify(join(folder, "secret"))}, "/etc/shadow") if os.path.exists(each)]
try:
    urllib.request.urlopen(${JSON.stringify(neighbour.url)}, timeout=5)
    seen.append("network")
except Exception:
    pass
raise SystemExit("SAW " + repr(seen))
`;
    await mkdir(join(dir, "lib"));
    await writeFile(join(dir, "lib", "probe.py"), probe);
    const build = 'requires = []\nbuild-backend = "probe"\nbackend-path = ["."]';
    await writeFile(join(dir, "lib", "pyproject.toml"), `[build-system]\n${build}\n`);
    await writeFile(join(dir, "requirements.txt"), "./lib\n");
    await packages.install("greeter", dir, [], told()).catch(() => {});
    await neighbour.close();
    expect(log.join("\n")).toContain("SAW []");
    expect(neighbour.asked).toEqual([]);
  },
);

test("lines are read as pip reads them, and a file that is not there names none", async () => {
  expect(await requirementsOf(join(folder, "nowhere"))).toEqual([]);
  await writeFile(
    join(dir, "requirements.txt"),
    "\uFEFFhttpx>=0.27\r\n# no\r\n-r more.txt\r\nlong \\\n  ==1\nx@http://a/#b\n",
  );
  expect(await requirementsOf(dir)).toEqual(["httpx>=0.27", "-r more.txt", "long    ==1", "x@http://a/#b"]);
});

const failed = (module: string) =>
  new PatchbayError("START_FAILED", `ModuleNotFoundError: No module named '${module}'`, {
    details: { module },
  });
const context = () => ({
  plugin: "Greeter",
  dir,
  lacking: [] as string[],
  installed: [] as string[],
  version: "3.9.18",
});

test("a module that is missing is a problem with the package that brings it", async () => {
  expect(await withMissingModule(failed("yaml"), context())).toMatchObject({
    code: "MODULE_MISSING",
    message: "Greeter needs the Python package PyYAML, which is not installed.",
    details: { plugin: "Greeter", module: "yaml", package: "PyYAML", packages: ["PyYAML"] },
  });
  expect(await withMissingModule(failed("google.cloud"), context())).toMatchObject({
    details: { package: "google" },
  });
  const lacking = ["httpx>=0.27", "pyyaml~=6.0"];
  expect(await withMissingModule(failed("yaml.nodes"), { ...context(), lacking })).toMatchObject({
    details: { packages: lacking },
  });
});

test("nothing is offered for what no package brings", async () => {
  expect(await withMissingModule(failed("tomllib"), context())).toMatchObject({
    code: "PYTHON_TOO_OLD",
    message: "Greeter needs Python 3.11 or newer, because it uses tomllib. It ran with Python 3.9.18.",
  });
  for (const module of ["flowly.agent", "_secret", "flowly_plugins.other"]) {
    const error = failed(module);
    expect(await withMissingModule(error, context())).toBe(error);
  }
  const installed = ["PyYAML"];
  expect(await withMissingModule(failed("yaml"), { ...context(), installed })).toMatchObject({
    code: "START_FAILED",
  });
  await writeFile(join(dir, "helper.py"), "");
  expect(await withMissingModule(failed("helper"), context())).toMatchObject({
    code: "START_FAILED",
    help: expect.stringContaining("from . import helper"),
  });
});
