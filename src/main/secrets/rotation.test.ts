import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Keychain } from "../platform/platform.ts";
import { openFileStorage, type Storage } from "../store/index.ts";
import { Vault } from "./index.ts";
import { deriveKey } from "./keys/passphrase.ts";
import { seal, unseal } from "./keys/sealing.ts";

const words = "four little words here";
const onNotice = () => {};

let home: string;
const open: Vault[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-rotation-"));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((vault) => vault.close()));
  rmSync(home, { recursive: true, force: true });
});

interface Ways {
  passphrase?: string;
  keychain?: Keychain;
}

async function openVault(folder = home, ways: Ways = {}, storage?: Storage): Promise<Vault> {
  const store = storage ?? openFileStorage({ home: folder, onNotice });
  const vault = await Vault.open({ storage: store, onNotice, ...ways });
  open.push(vault);
  return vault;
}

function keychain(): Keychain {
  const flip = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
  return { name: "Test Keychain", wrap: async (key) => flip(key), unwrap: async (wrapped) => flip(wrapped) };
}

const at = (name: string) => join(home, name);
// biome-ignore lint/suspicious/noExplicitAny: the file as it lies there
const stored = (): any => JSON.parse(readFileSync(at("vault.json"), "utf8")).data;
const fileKey = () => Buffer.from(readFileSync(at("vault.key"), "utf8"), "base64");
const dataKey = () => {
  const slot = stored().slots.find(({ kind }: { kind: string }) => kind === "keyfile");
  return unseal(fileKey(), slot.wrapped, "patchbay vault data key");
};
/** Every sealed value in any file of the folder that a key opens. */
function openedBy(key: Buffer): string[] {
  const files = readdirSync(home).filter((name) => name.startsWith("vault.") && name !== "vault.key");
  return files.flatMap((name) =>
    // biome-ignore lint/suspicious/noExplicitAny: the file as it lies there
    JSON.parse(readFileSync(at(name), "utf8")).data.entries.flatMap((entry: any) => {
      try {
        const place = JSON.stringify(["patchbay secret", entry.name, entry.agentId]);
        return [unseal(key, entry.sealed, place).toString()];
      } catch {
        return [];
      }
    }),
  );
}

const ways: [string, (vault: Vault) => Promise<unknown>][] = [
  ["a secret is removed", (vault) => vault.remove("A", null)],
  ["the secrets of an agent are removed", (vault) => vault.removeAgent("ada")],
  ["a passphrase is set", (vault) => vault.setPassphrase(words)],
];

describe.each(ways)("when %s", (_name, act) => {
  test("the key that was stolen before opens nothing in any file, kept copies included", async () => {
    const vault = await openVault();
    await vault.setAll(new Map(Object.entries({ A: "value of a", B: "value of b" })), null);
    await vault.set("C", "ada", "value of c");
    const [stolen, stolenFile] = [dataKey(), fileKey()];
    expect(openedBy(stolen)).toContain("value of b");
    await act(vault);
    expect(openedBy(stolen)).toEqual([]);
    expect(fileKey()).not.toEqual(stolenFile);
    expect(new Set(openedBy(dataKey()))).toContain("value of b");
    await vault.close();
    expect((await openVault()).resolve("B", null)).toBe("value of b");
  });
});

test("a replaced value is in no kept copy any more", async () => {
  const vault = await openVault();
  await vault.set("A", null, "value one");
  await vault.set("A", null, "value two");
  expect(openedBy(dataKey())).not.toContain("value one");
  expect(existsSync(at("vault.json.bak1"))).toBe(true);
});

test("a keychain and a passphrase get the new key without being asked", async () => {
  const vault = await openVault(home, { keychain: keychain() });
  await vault.set("A", null, "value one");
  await vault.setPassphrase(words);
  await vault.close();
  // Opened by the passphrase alone, the keychain away: both still open what is sealed then.
  const away = await openVault(home, { passphrase: words });
  await away.set("B", null, "value two");
  await away.remove("A", null);
  await away.close();
  for (const way of [{ keychain: keychain() }, { passphrase: words }]) {
    const again = await openVault(home, way);
    expect(again.status()).toMatchObject({ open: true });
    expect(again.resolve("B", null)).toBe("value two");
    await again.close();
  }
});

test("a slot whose public key was changed in the file does not get the new key", async () => {
  const vault = await openVault();
  await vault.set("A", null, "value one");
  await vault.setPassphrase(words);
  await vault.close();
  const file = JSON.parse(readFileSync(at("vault.json"), "utf8"));
  const slot = file.data.slots.find(({ kind }: { kind: string }) => kind === "passphrase");
  slot.recipient = seal(Buffer.alloc(32, 1), Buffer.alloc(32, 9), "patchbay vault recipient");
  writeFileSync(at("vault.json"), JSON.stringify(file));
  const again = await openVault();
  await again.set("B", null, "value two");
  await again.remove("A", null);
  const after = stored().slots.find(({ kind }: { kind: string }) => kind === "passphrase");
  expect(after.key).toEqual(slot.key);
  expect(again.resolve("B", null)).toBe("value two");
});

test("a vault of an older version opens, and is brought to today's cost and form at the next unlock", async () => {
  const [key, salt] = [Buffer.alloc(32, 3), Buffer.alloc(16, 4).toString("base64")];
  const derivation = { salt, cost: 1 << 16, block: 8 };
  const wrapped = seal(await deriveKey(words, derivation), key, "patchbay vault data key");
  const sealed = seal(key, Buffer.from("value one"), JSON.stringify(["patchbay secret", "A", null]));
  const entry = { name: "A", agentId: null, sealed, updatedAt: "2026-01-01T00:00:00.000Z" };
  const data = { slots: [{ kind: "passphrase", ...derivation, wrapped }], entries: [entry] };
  writeFileSync(at("vault.json"), JSON.stringify({ schemaVersion: 1, data }));
  const vault = await openVault();
  await vault.unlock(words);
  expect(vault.resolve("A", null)).toBe("value one");
  expect(stored().slots).toMatchObject([{ kind: "passphrase", cost: 1 << 17, block: 8, key: {} }]);
  expect(openedBy(key)).toEqual([]);
  await vault.close();
  expect((await openVault(home, { passphrase: words })).resolve("A", null)).toBe("value one");
});

test("a removal that cannot reach an older slot is finished when that one opens", async () => {
  const vault = await openVault();
  await vault.setAll(new Map(Object.entries({ A: "value of a", B: "value of b" })), null);
  const stolen = dataKey();
  const derivation = { salt: Buffer.alloc(16, 4).toString("base64"), cost: 1 << 16, block: 8 };
  const wrapped = seal(await deriveKey(words, derivation), dataKey(), "patchbay vault data key");
  await vault.close();
  const file = JSON.parse(readFileSync(at("vault.json"), "utf8"));
  file.data.slots.push({ kind: "passphrase", ...derivation, wrapped });
  writeFileSync(at("vault.json"), JSON.stringify(file));
  const again = await openVault();
  await again.remove("A", null);
  // Not even the old key opens what was removed; the others wait for the passphrase.
  expect(openedBy(stolen)).not.toContain("value of a");
  expect(stored().due).toBe("key");
  await again.close();
  rmSync(at("vault.key"));
  const unlocked = await openVault();
  await unlocked.unlock(words);
  expect(openedBy(stolen)).toEqual([]);
  expect(stored().due).toBeUndefined();
  expect(unlocked.resolve("B", null)).toBe("value of b");
});

/** Ends the process at one of its writes: nothing is written from there on, as after SIGKILL. */
class Blade {
  fallen = false;
  #writes = 0;
  readonly #at: number;

  constructor(writes: number) {
    this.#at = writes;
  }

  over(storage: Storage): Storage {
    const cut =
      <A extends unknown[], R>(write: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        if (this.#writes++ >= this.#at) this.fallen = true;
        if (this.fallen) throw new Error("killed");
        return write(...args);
      };
    const rows: Storage["rows"] = (...collection) => {
      const opened = storage.rows(...collection);
      opened.change = cut(opened.change.bind(opened));
      return opened;
    };
    const { vaultKey } = storage;
    const key: Storage["vaultKey"] = {
      read: () => vaultKey.read(),
      write: cut((bytes: Buffer) => vaultKey.write(bytes)),
      remove: cut(() => vaultKey.remove()),
    };
    const forgetVaultCopies = cut(() => storage.forgetVaultCopies());
    return new Proxy(storage, {
      get: (target, name) => {
        if (name === "rows") return rows;
        if (name === "vaultKey") return key;
        if (name === "forgetVaultCopies") return forgetVaultCopies;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}

const acts: [string, (vault: Vault) => Promise<unknown>][] = [
  ["removing a secret", (vault) => vault.remove("A", null)],
  ["setting a passphrase", (vault) => vault.setPassphrase(words)],
  ["setting a passphrase alone", (vault) => vault.setPassphrase(words, true)],
  ["replacing a secret", (vault) => vault.set("A", null, "another value")],
];

test.each(acts)(
  "%s, killed at any write, loses no secret and leaves no old key",
  async (_name, act) => {
    const first = join(home, "first");
    const before = await openVault(first);
    await before.setAll(new Map(Object.entries({ A: "value of a", B: "value of b" })), null);
    await before.close();
    let kills = 0;
    for (let writes = 0; ; writes += 1) {
      const folder = join(home, String(writes));
      cpSync(first, folder, { recursive: true });
      const blade = new Blade(writes);
      const storage = blade.over(openFileStorage({ home: folder, onNotice }));
      const cut = await openVault(folder, {}, storage);
      await act(cut).catch(() => {});
      await cut.close();
      const after = await openVault(folder, { passphrase: words });
      expect(after.status()).toMatchObject({ open: true, problem: null });
      expect(after.resolve("B", null)).toBe("value of b");
      expect(["value of a", "another value", undefined]).toContain(after.resolve("A", null));
      await after.close();
      const kept = JSON.parse(readFileSync(join(folder, "vault.json"), "utf8")).data;
      expect(kept.due).toBeUndefined();
      expect(kept.slots.filter(({ kind }: { kind: string }) => kind === "keyfile").length).toBeLessThan(2);
      if (!blade.fallen) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(1);
  },
  60_000,
);
