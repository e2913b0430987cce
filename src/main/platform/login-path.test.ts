import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LoginPath } from "./login-path.ts";

const own = "/usr/bin:/bin";
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-login-"));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(home, { recursive: true, force: true });
});

/** Makes a program that takes the place of a person's login shell, and returns its path. */
async function shell(script: string): Promise<string> {
  const file = join(home, "shell");
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

test("the path is that of the login shell with its profile, the app's own folders behind it", async () => {
  await writeFile(join(home, ".profile"), 'echo "Welcome!"\nPATH="/opt/own/bin:$PATH"\n');
  const path = new LoginPath({ HOME: home, SHELL: "/bin/sh", PATH: `${own}:/extra` });
  const folders = (await path.get()).split(":");
  expect(folders[0]).toBe("/opt/own/bin");
  expect(folders).toContain("/extra");
  expect(new Set(folders).size).toBe(folders.length);
});

test("a shell is asked once", async () => {
  const file = await shell(`echo asked >> ${home}/log; exec /bin/sh -c "$2"`);
  const path = new LoginPath({ HOME: home, SHELL: file, PATH: own });
  expect(await Promise.all([path.get(), path.get()])).toEqual([own, own]);
  expect(await readFile(join(home, "log"), "utf8")).toBe("asked\n");
});

test.each([
  ["that says nothing", "exit 0"],
  ["that fails", "exit 3"],
  ["that prints nonsense", "head -c 200000 /dev/zero"],
])("with a shell %s it is the app's own", async (_what, script) => {
  expect(await new LoginPath({ SHELL: await shell(script), PATH: own }).get()).toBe(own);
});

test("without a shell, or with one that is not there, it is the app's own", async () => {
  expect(await new LoginPath({ PATH: own }).get()).toBe(own);
  expect(await new LoginPath({ SHELL: join(home, "none"), PATH: own }).get()).toBe(own);
});

test("a shell that hangs is given up after five seconds", async () => {
  const file = await shell("exec sleep 600");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const asked = new LoginPath({ SHELL: file, PATH: own }).get();
  while (vi.getTimerCount() === 0) await turn();
  vi.advanceTimersByTime(5_000);
  expect(await asked).toBe(own);
});
