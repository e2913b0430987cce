import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { auditOf } from "../support/hostile.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const passphrase = "four little words here";
const value = "unlock-me-8112358";

let folder: string;
let home: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-hostile-"));
  home = join(folder, "home");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function withApp<T>(work: (app: RunningApp) => Promise<T>): Promise<T> {
  const app = await startApp(home);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

const unlock = async (app: RunningApp, words: string) =>
  ((await app.rest("POST", "/vault/unlock", { passphrase: words })) as { code?: string }).code;

test("files that were stolen before a secret was removed open nothing of today with their key", async () => {
  const stolen = join(folder, "stolen");
  await withApp(async (app) => {
    await app.rest("PUT", "/secrets/OLD", { value: "of-yesterday-5813" });
    await app.rest("PUT", "/secrets/KEPT", { value });
    await cp(home, stolen, { recursive: true });
    await app.cli("secret", "remove", "OLD");
  });
  const names = (await readdir(home)).filter((name) => name.startsWith("vault."));
  const now = await Promise.all(names.map((name) => readFile(join(home, name), "utf8")));
  const before = JSON.parse(await readFile(join(stolen, "vault.json"), "utf8")) as {
    data: { entries: { sealed: { data: string } }[] };
  };
  // No kept copy holds a value as it was sealed before, and the key file is another one.
  for (const { sealed } of before.data.entries) expect(now.join("\n")).not.toContain(sealed.data);
  expect(now.join("\n")).not.toContain(await readFile(join(stolen, "vault.key"), "utf8"));
  // The stolen key beside today's file opens nothing.
  await cp(join(home, "vault.json"), join(stolen, "vault.json"));
  for (const name of await readdir(stolen)) if (name.includes(".bak")) await rm(join(stolen, name));
  const run = promisify(execFile)(process.execPath, [
    resolve("bin/patchbay"),
    "--home",
    stolen,
    "--json",
    "secret",
    "status",
  ]);
  await expect(run).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('"open": false') });
});

test("guessing the passphrase over RPC is slowed down, also by a restart, and stands in the audit log", async () => {
  await withApp((app) => app.rest("POST", "/secrets/passphrase", { passphrase, askAtStart: true }));
  const codes = await withApp(async (app) => {
    const seen: unknown[] = [];
    for (let guess = 0; guess < 10 && seen.at(-1) !== "UNLOCK_PAUSED"; guess += 1) {
      seen.push(await unlock(app, `four little words ${guess}`));
    }
    return seen;
  });
  expect(codes.slice(0, 3)).toEqual(["PASSPHRASE_WRONG", "PASSPHRASE_WRONG", "PASSPHRASE_WRONG"]);
  expect(codes.at(-1)).toBe("UNLOCK_PAUSED");
  const wrong = codes.length - 1;
  // Neither ending the app nor the terminal forgets what was tried.
  await withApp(async (app) => {
    const after: unknown[] = [];
    for (let guess = 0; guess < 10 && after.at(-1) !== "UNLOCK_PAUSED"; guess += 1) {
      after.push(await unlock(app, `other little words ${guess}`));
    }
    expect(after.length).toBeLessThanOrEqual(2 + 1);
    expect(JSON.stringify(await app.rest("GET", "/secrets"))).not.toContain(value);
  });
  const failures = (await auditOf(home)).filter(({ kind }) => kind === "vault.unlock_failed");
  expect(failures.length).toBeGreaterThan(wrong);
  expect(failures).toContainEqual(expect.objectContaining({ code: "UNLOCK_PAUSED" }));
});
