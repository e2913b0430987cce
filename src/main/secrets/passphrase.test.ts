import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../base/clock.ts";
import { openFileStorage } from "../store/index.ts";
import { backUp, restore, Vault } from "./index.ts";
import { pauseAfter } from "./unlock-attempts.ts";

const homes: string[] = [];
const open: Vault[] = [];
let home: string;

beforeEach(() => {
  home = newHome();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((vault) => vault.close()));
  for (const one of homes.splice(0)) rmSync(one, { recursive: true, force: true });
});

function newHome(): string {
  const path = mkdtempSync(join(tmpdir(), "patchbay-vault-"));
  homes.push(path);
  return path;
}

async function openVault(passphrase?: string, at = home): Promise<Vault> {
  const vault = await Vault.open({
    storage: openFileStorage({ home: at, onNotice() {} }),
    passphrase,
    onNotice() {},
  });
  open.push(vault);
  return vault;
}

describe("a passphrase", () => {
  it("opens the vault where its key file is missing; a wrong one or none does not, and says so", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", null, "the value");
    await vault.setPassphrase("four little words here");
    await vault.close();
    rmSync(join(home, "vault.key"));
    const right = await openVault("four little words here");
    expect(right.resolve("TOKEN", null)).toBe("the value");
    expect(right.status().backend).toBe("your passphrase");
    const wrong = await openVault("four other words here");
    expect(wrong.status().problem?.message).toContain("not the one");
    const none = await openVault();
    expect(none.status().problem?.message).toContain("PATCHBAY_PASSPHRASE");
    expect(() => none.resolve("TOKEN", null)).toThrow(/cannot be opened/);
  });

  it("can be changed and taken away, but not when it is too short", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", null, "the value");
    await expect(vault.setPassphrase("short")).rejects.toMatchObject({ code: "BAD_INPUT" });
    await vault.setPassphrase("the first passphrase");
    await vault.setPassphrase("the second passphrase");
    await vault.close();
    rmSync(join(home, "vault.key"));
    expect((await openVault("the first passphrase")).status().open).toBe(false);
    const second = await openVault("the second passphrase");
    await expect(second.setPassphrase(null)).resolves.toBeUndefined();
  });
});

describe("a passphrase alone", () => {
  it("is asked for at each start, opens what was closed, and gives way to a key file again", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", "ada", "the value");
    await vault.setPassphrase("four little words here", true);
    expect(readdirSync(home)).not.toContain("vault.key");
    expect(vault.keys().map(({ kind }) => kind)).toEqual(["passphrase"]);
    await vault.close();

    const locked = await openVault();
    expect(locked.status()).toMatchObject({ open: false, canUnlock: true });
    const told: unknown[] = [];
    locked.changes.on("changed", (...change) => told.push(change));
    locked.changes.on("status", () => told.push(locked.status().open));
    await expect(locked.unlock("four other words here")).rejects.toMatchObject({ code: "PASSPHRASE_WRONG" });
    expect(told).toEqual([]);
    await locked.unlock("four little words here");
    expect(told).toEqual([["TOKEN", "ada"], true]);
    expect(locked.resolve("TOKEN", "ada")).toBe("the value");
    expect(locked.redact("the value, four little words here")).toBe("•••, •••");

    await locked.setPassphrase(null);
    expect(locked.keys()).toMatchObject([{ kind: "keyfile", opens: true }]);
    await locked.close();
    expect((await openVault()).resolve("TOKEN", "ada")).toBe("the value");
  });

  it("is not taken away while the only other key does not open: one that does is made first", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", null, "the value");
    await vault.setPassphrase("four little words here");
    await vault.close();
    rmSync(join(home, "vault.key"));
    const again = await openVault("four little words here");
    expect(again.keys()).toMatchObject([{ kind: "keyfile", opens: false }, { kind: "passphrase" }]);
    await again.setPassphrase(null);
    await again.close();
    expect((await openVault()).resolve("TOKEN", null)).toBe("the value");
  });
});

describe("wrong passphrases", () => {
  it("cost a growing pause after the third, also after a restart and for a passphrase of the environment", async () => {
    let now = 1_000_000;
    const clock: Clock = { ...systemClock, now: () => now };
    const openAt = async (passphrase?: string) => {
      const storage = openFileStorage({ home, onNotice: () => {} });
      const vault = await Vault.open({ storage, clock, passphrase, onNotice: () => {} });
      open.push(vault);
      return vault;
    };
    const first = await openAt();
    await first.set("TOKEN", null, "the value");
    await first.setPassphrase("four little words here", true);
    await first.close();

    const locked = await openAt();
    for (let wrong = 0; wrong < 3; wrong += 1) {
      await expect(locked.unlock("four other words here")).rejects.toMatchObject({
        code: "PASSPHRASE_WRONG",
      });
    }
    await expect(locked.unlock("four little words here")).rejects.toMatchObject({
      code: "UNLOCK_PAUSED",
      details: { failed: 3, seconds: 1 },
    });
    await locked.close();
    expect((await openAt("four little words here")).status()).toMatchObject({ open: false });
    now += 1_000;
    const again = await openAt("four other words here");
    await expect(again.unlock("four little words here")).rejects.toMatchObject({
      code: "UNLOCK_PAUSED",
      details: { failed: 4, seconds: 2 },
    });
    now += 2_000;
    await again.unlock("four little words here");
    expect(again.resolve("TOKEN", null)).toBe("the value");
    expect(again.failedUnlocks).toBe(0);
  });

  it.each([
    [0, 0],
    [2, 0],
    [3, 1],
    [4, 2],
    [9, 64],
    [40, 900],
  ])("after %i of them the pause is %i seconds", (failed, seconds) => {
    expect(pauseAfter(failed)).toBe(seconds);
  });
});

describe("a vault that does not open", () => {
  it("is looked at again when asked to, once its files are back", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", null, "the value");
    await vault.close();
    renameSync(join(home, "vault.key"), join(home, "elsewhere"));
    const closed = await openVault();
    expect(closed.status()).toMatchObject({ open: false, canUnlock: false });
    await expect(closed.unlock("any words at all")).rejects.toMatchObject({ code: "VAULT_CLOSED" });
    await closed.retry();
    expect(closed.status().open).toBe(false);
    renameSync(join(home, "elsewhere"), join(home, "vault.key"));
    await closed.retry();
    expect(closed.resolve("TOKEN", null)).toBe("the value");
  });

  it("of another person is put aside whole for an empty one, and can be put back", async () => {
    const theirs = await openVault();
    await theirs.set("TOKEN", null, "the value");
    await theirs.close();
    const key = readFileSync(join(home, "vault.key"));
    writeFileSync(join(home, "vault.key"), Buffer.alloc(32, 7).toString("base64"));
    const stored = readFileSync(join(home, "vault.json"));
    const vault = await openVault();
    const folder = (await vault.startOver()) ?? "";
    expect(vault.status().open).toBe(true);
    expect(vault.list()).toEqual([]);
    await vault.set("OTHER", null, "my own value");
    await expect(vault.startOver()).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(readFileSync(join(folder, "vault.json"))).toEqual(stored);
    await vault.close();

    const restored = newHome();
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(restored, name));
    writeFileSync(join(restored, "vault.key"), key);
    expect((await openVault(undefined, restored)).resolve("TOKEN", null)).toBe("the value");
  });
});

describe("a backup", () => {
  it("brings every secret to another home, and shows none of them", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", null, "shared value");
    await vault.set("TOKEN", "ada", "own value");
    const backup = await backUp(vault, "a long passphrase");
    expect(backup).not.toMatch(/value|TOKEN/);
    const other = await openVault(undefined, newHome());
    await other.set("TOKEN", "ada", "kept value");
    expect(await restore(other, backup, "a long passphrase", false)).toEqual({
      stored: ["TOKEN"],
      kept: ["TOKEN"],
    });
    expect([other.resolve("TOKEN", null), other.resolve("TOKEN", "ada")]).toEqual([
      "shared value",
      "kept value",
    ]);
    await restore(other, backup, "a long passphrase", true);
    expect(other.resolve("TOKEN", "ada")).toBe("own value");
  });

  it.each([
    ["another passphrase", (text: string) => text, "another passphrase"],
    ["half a file", (text: string) => text.slice(0, text.length / 2), "a long passphrase"],
    ["a changed file", (text: string) => text.replace(/"tag": "./, '"tag": "_'), "a long passphrase"],
    ["something else", () => "[]", "a long passphrase"],
  ])("with %s is refused and changes nothing", async (_name, damage, passphrase) => {
    const vault = await openVault();
    await vault.set("TOKEN", null, "value");
    const backup = damage(await backUp(vault, "a long passphrase"));
    const other = await openVault(undefined, newHome());
    await expect(restore(other, backup, passphrase, true)).rejects.toMatchObject({ code: "BACKUP_INVALID" });
    expect(other.list()).toEqual([]);
  });
});
