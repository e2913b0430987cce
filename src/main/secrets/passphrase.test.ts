import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backUp, restore, Vault } from "./index.ts";

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
  const vault = await Vault.open({ home: at, passphrase, onNotice() {} });
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
