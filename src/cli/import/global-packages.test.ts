import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CliContext } from "../context.ts";
import { globalFolder, globalPackage, run } from "./global-packages.ts";

let folder: string;
let context: CliContext;
let stop: AbortController;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-global-"));
  stop = new AbortController();
  const env = { PATH: `${folder}:/usr/bin:/bin`, NOTHING: undefined };
  context = { env, cwd: folder, signal: stop.signal } as unknown as CliContext;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, script: string) {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}

test("npm says where its global packages are; one that does not, or is not there, has none", async () => {
  const modules = join(folder, "lib/node_modules");
  await mkdir(modules, { recursive: true });
  await program("npm", `[ "$*" = "root --global" ] && echo "${modules}"`);
  expect(await globalFolder(context)).toBe(modules);
  await program("npm", "echo /nowhere/at/all");
  expect(await globalFolder(context)).toBeNull();
  await program("npm", "exit 1");
  expect(await globalFolder(context)).toBeNull();
});

test("a program's output, its failure, its absence, and its end with the command", async () => {
  await program("hermit", "echo said; echo note >&2");
  expect(await run(context, "hermit", [])).toEqual({ kind: "printed", text: "said\n" });
  await program("hermit", "echo first >&2; echo the gateway is down >&2; exit 3");
  expect(await run(context, "hermit", [])).toEqual({ kind: "failed", why: "the gateway is down" });
  expect(await run(context, "no-such-program", [])).toEqual({ kind: "missing" });
  await program("hermit", "echo up; exec sleep 600");
  const hanging = run(context, "hermit", []);
  stop.abort(new Error("stopped"));
  await expect(hanging).rejects.toThrow("stopped");
});

test("a package is what its package.json says it is", async () => {
  const put = async (name: string, text: string) => {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, "package.json"), text);
  };
  await put("@acme/chat", '\uFEFF{"name":"@acme/chat","version":"1.2.3"}');
  await put("other", '{"name":"someone-else","version":"1.0.0"}');
  await put("broken", "{");
  expect(await globalPackage(folder, "@acme/chat")).toEqual({
    dir: join(folder, "@acme/chat"),
    version: "1.2.3",
  });
  for (const name of ["other", "broken", "gone"]) expect(await globalPackage(folder, name)).toBeNull();
  expect(await globalPackage(null, "@acme/chat")).toBeNull();
});
