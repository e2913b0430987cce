import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { auditOf } from "../support/hostile.ts";
import { startApp } from "../support/running-app.ts";

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-foreign-"));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Starts Patchbay with these variables, and closes it when it has answered. */
async function serve(name: string, env: Record<string, string>, program?: string) {
  const home = join(folder, name);
  const app = await startApp(home, env, program);
  const { pid } = JSON.parse(await readFile(join(home, "gateway.json"), "utf8")) as { pid: number };
  const given = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  expect(await app.rest("GET", "/settings")).toHaveProperty("language");
  await app.close();
  return { pid, given, audit: await auditOf(home) };
}

const leftOut = (...names: string[]) =>
  expect.objectContaining({ kind: "core.environment_left_out", names: expect.arrayContaining(names) });

/** A checkout of its own, with the built Patchbay, whose files a test may change. */
async function checkout(): Promise<string> {
  const root = join(folder, "checkout");
  await mkdir(join(root, "out"), { recursive: true });
  await cp("bin", join(root, "bin"), { recursive: true });
  const filter = (source: string) => !source.endsWith(".compiled");
  await cp("out/main", join(root, "out", "main"), { recursive: true, filter });
  await cp("package.json", join(root, "package.json"));
  for (const name of ["node_modules", "resources", "out/plugins", "out/renderer", "out/preload"])
    await symlink(resolve(name), join(root, name));
  return root;
}

/** The source with code at its start, and as long as it was: room is made in a comment. */
function altered(source: string, code: string): string {
  const comment = source.match(/\/\*\*.*?\*\//gs)?.find((one) => one.length > code.length + 4);
  if (!comment) throw new Error("There is no comment that is long enough.");
  const shorter = `/*${" ".repeat(comment.length - code.length - 4)}*/`;
  return code + source.replace(comment, () => shorter);
}

test("a folder with compiled code that does something else than Patchbay's files is not used, and that is in the audit", async () => {
  const root = await checkout();
  const file = join(root, "out", "main", "cli.js");
  const [cache, mark] = [join(folder, "cache"), join(folder, "compiled")];
  const direct = () => run(process.execPath, [file, "--version"], { env: { NODE_COMPILE_CACHE: cache } });

  // Node itself compiles the other code for this path; then the sum of the real file is written over that of the other.
  const source = await readFile(file, "utf8");
  const other = altered(source, `import{writeFileSync as w}from"fs";w(${JSON.stringify(mark)},"in");`);
  await writeFile(file, other);
  await direct();
  await writeFile(file, source);
  await rm(mark);
  const [version = ""] = await readdir(cache);
  for (const name of await readdir(join(cache, version))) {
    const compiled = await readFile(join(cache, version, name));
    const at = 12;
    if (compiled.readUInt32LE(at) !== crc32(other)) continue;
    compiled.writeUInt32LE(crc32(source), at);
    await writeFile(join(cache, version, name), compiled);
  }
  // Node believes it.
  await direct();
  expect(existsSync(mark)).toBe(true);
  await rm(mark);

  const { audit } = await serve("home-cache", { NODE_COMPILE_CACHE: cache }, join(root, "bin", "patchbay"));
  expect(existsSync(mark)).toBe(false);
  expect(audit).toContainEqual(leftOut("NODE_COMPILE_CACHE"));
});

test("a library under a name that one of Patchbay's looks for in vain is not found, and that is in the audit", async () => {
  const [library, mark] = [join(folder, "libraries", "bufferutil"), join(folder, "library")];
  await mkdir(library, { recursive: true });
  await writeFile(join(library, "index.js"), `require("fs").writeFileSync(${JSON.stringify(mark)}, "in");`);
  const env = { NODE_PATH: join(folder, "libraries") };
  await run(process.execPath, ["-e", 'require("ws")'], { env });
  expect(existsSync(mark)).toBe(true);
  await rm(mark);

  const { audit } = await serve("home-library", env);
  expect(existsSync(mark)).toBe(false);
  expect(audit).toContainEqual(leftOut("NODE_PATH"));
});

test.runIf(process.platform === "linux")(
  "native code that settings of OpenSSL name does not get into the core, and that is in the audit",
  async () => {
    const [library, mark] = [join(folder, "evil.so"), join(folder, "native")];
    const code = `#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void in(void) {
  FILE *mark = fopen(${JSON.stringify(mark)}, "a");
  if (mark) { fprintf(mark, "%d\\n", getpid()); fclose(mark); }
}
static const struct { int id; void (*call)(void); } none[] = {{0, 0}};
int OSSL_provider_init(void *handle, void *in, const void **out, void **context) { *out = none; return 1; }
`;
    await writeFile(join(folder, "evil.c"), code);
    await run("cc", ["-shared", "-fPIC", "-o", library, join(folder, "evil.c")]);
    const settings = join(folder, "evil.cnf");
    await writeFile(
      settings,
      `nodejs_conf = all\n[all]\nproviders = some\n[some]\ndefault = on\nevil = evil\n[on]\nactivate = 1\n[evil]\nmodule = ${library}\nactivate = 1\n`,
    );
    const env = { OPENSSL_CONF: settings };
    const loadedBy = async () => (await readFile(mark, "utf8")).trim().split("\n").map(Number);
    const { stdout } = await run(process.execPath, ["-p", "process.pid"], { env });
    expect(await loadedBy()).toEqual([Number(stdout)]);

    const { pid, audit } = await serve("home-openssl", env);
    expect(await loadedBy()).not.toContain(pid);
    expect(audit).toContainEqual(leftOut("OPENSSL_CONF"));
  },
);

test.runIf(process.platform === "linux")(
  "variables that change what a Node runs or trusts do not reach the core, and they are in the audit",
  async () => {
    const env = {
      NODE_REPL_EXTERNAL_MODULE: join(folder, "none.js"),
      NODE_INSPECT_RESUME_ON_START: "1",
      ELECTRON_RUN_AS_NODE: "1",
      OPENSSL_ENGINES: folder,
      OPENSSL_MODULES: folder,
      NODE_ICU_DATA: folder,
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    };
    const { given, audit } = await serve("home-others", env);
    const names = given.split("\0").map((line) => line.slice(0, line.indexOf("=")));
    expect(names).toContain("PATH");
    expect(names.filter((name) => Object.hasOwn(env, name))).toEqual([]);
    expect(audit).toContainEqual(leftOut(...Object.keys(env)));
  },
);
