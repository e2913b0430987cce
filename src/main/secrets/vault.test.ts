import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Problem } from "../../contract/index.ts";
import type { Keychain } from "../platform/platform.ts";
import { openFileStorage } from "../store/index.ts";
import { Vault } from "./index.ts";

let home: string;
let notices: Problem[];
let open: Vault[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-vault-"));
  notices = [];
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((vault) => vault.close()));
  rmSync(home, { recursive: true, force: true });
});

async function openVault(keychain?: Keychain): Promise<Vault> {
  const onNotice = (problem: Problem) => notices.push(problem);
  const vault = await Vault.open({ storage: openFileStorage({ home, onNotice }), keychain, onNotice });
  open.push(vault);
  return vault;
}

/** A stand-in for the keychain of an operating system: only the keychain that wrapped a key can unwrap it. */
function keychain(name = "Test Keychain", mask = 0x5a): Keychain & { refuse: boolean } {
  const flip = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ mask));
  return {
    name,
    refuse: false,
    async wrap(key) {
      if (this.refuse) throw new Error("the person said no");
      return Buffer.concat([Buffer.from(name), flip(key)]);
    },
    async unwrap(wrapped) {
      if (this.refuse) throw new Error("the person said no");
      if (wrapped.subarray(0, name.length).toString() !== name) throw new Error("not mine");
      return flip(wrapped.subarray(name.length));
    },
  };
}

const path = (name = "vault.json") => join(home, name);
const stored = () => JSON.parse(readFileSync(path(), "utf8"));
const everyFile = () =>
  readdirSync(home)
    .map((name) => readFileSync(path(name), "latin1"))
    .join("\n");

describe("the vault", () => {
  it("gives back what was stored, after a restart too", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", null, "päss wörd\n\0 with anything");
    expect(vault.resolve("TOKEN", "any")).toBe("päss wörd\n\0 with anything");
    await vault.close();
    expect((await openVault()).resolve("TOKEN", null)).toBe("päss wörd\n\0 with anything");
  });

  it("prefers an agent's own value and shows it to no other agent", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", null, "shared-value");
    await vault.set("TOKEN", "one", "own-value");
    await vault.set("ONLY_ONE", "one", "private-value");
    expect(vault.resolve("TOKEN", "one")).toBe("own-value");
    expect(vault.resolve("TOKEN", "two")).toBe("shared-value");
    expect(vault.resolve("TOKEN", null)).toBe("shared-value");
    expect(vault.resolve("ONLY_ONE", "two")).toBeUndefined();
    expect(vault.has("ONLY_ONE", "two")).toBe(false);
    expect(vault.has("TOKEN", "two")).toBe(true);
  });

  it("lists names, never values", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", "one", "own-value");
    expect(vault.list()).toEqual([{ name: "TOKEN", agentId: "one", updatedAt: expect.any(String) }]);
  });

  it("writes no value to any file in the clear", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", null, "find-me-if-you-can");
    await vault.set("TOKEN", null, "find-me-again");
    const files = everyFile();
    for (const value of ["find-me-if-you-can", "find-me-again"]) {
      expect(files).not.toContain(value);
      expect(files).not.toContain(Buffer.from(value).toString("base64").slice(0, 16));
    }
  });

  it("encrypts the same value differently each time", async () => {
    const vault = await openVault();
    await vault.set("A", null, "same-value");
    await vault.set("B", null, "same-value");
    const [a, b] = stored().data.entries;
    expect(a.sealed.data).not.toBe(b.sealed.data);
    expect(a.sealed.nonce).not.toBe(b.sealed.nonce);
  });

  it("replaces and removes", async () => {
    const vault = await openVault();
    await vault.set("TOKEN", null, "first");
    await vault.set("TOKEN", null, "second");
    expect(stored().data.entries).toHaveLength(1);
    await vault.remove("TOKEN", null);
    expect(vault.resolve("TOKEN", null)).toBeUndefined();
    expect(stored().data.entries).toEqual([]);
    await expect(vault.remove("TOKEN", null)).rejects.toMatchObject({ code: "SECRET_NOT_FOUND" });
  });

  it("forgets what only a removed agent could use", async () => {
    const vault = await openVault();
    await vault.set("A", "gone", "first-value");
    await vault.set("A", null, "other-value");
    await vault.removeAgent("gone");
    expect(vault.list().map(({ agentId }) => agentId)).toEqual([null]);
  });

  it("announces every change", async () => {
    const vault = await openVault();
    const changes: unknown[] = [];
    vault.changes.on("changed", (...change) => changes.push(change));
    await vault.set("A", "one", "first-value");
    await vault.set("A", "one", "first-value-2");
    await vault.remove("A", "one");
    expect(changes).toEqual([
      ["A", "one"],
      ["A", "one"],
      ["A", "one"],
    ]);
  });

  it.each(["", "1A", "A-B", "A B", "ä", "__proto__x y"])("refuses the name %j", async (name) => {
    const vault = await openVault();
    await expect(vault.set(name, null, "value")).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(vault.set("OK", null, "")).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(readdirSync(home)).toEqual([]);
  });

  it("keeps all of many values stored at once", async () => {
    const vault = await openVault();
    const names = Array.from({ length: 30 }, (_, index) => `NAME_${index}`);
    await Promise.all(names.map((name) => vault.set(name, null, `value of ${name}`)));
    await vault.close();
    const again = await openVault();
    expect(names.map((name) => again.resolve(name, null))).toEqual(names.map((name) => `value of ${name}`));
  });
});

describe("the key of the vault", () => {
  it.runIf(process.platform !== "win32")("is in a file that only this person can read", async () => {
    const vault = await openVault();
    await vault.set("A", null, "first-value");
    expect(statSync(path("vault.key")).mode & 0o777).toBe(0o600);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(vault.status()).toMatchObject({ open: true, problem: null });
  });

  it("is in the keychain, and nowhere else, where there is one", async () => {
    const vault = await openVault(keychain());
    await vault.set("A", null, "first-value");
    expect(vault.status().backend).toBe("Test Keychain");
    expect(readdirSync(home)).not.toContain("vault.key");
    await vault.close();
    expect((await openVault(keychain())).resolve("A", null)).toBe("first-value");
  });

  it("in a keychain that this shell does not have closes the vault, which says so and is kept", async () => {
    const desktop = await openVault(keychain());
    await desktop.set("A", null, "first-value");
    await desktop.close();
    const before = readFileSync(path(), "utf8");
    const vault = await openVault();
    expect(vault.status().open).toBe(false);
    expect(vault.status().problem?.message).toContain("Test Keychain");
    expect(() => vault.resolve("A", null)).toThrowError(expect.objectContaining({ code: "VAULT_CLOSED" }));
    expect(vault.resolve("NEVER_STORED", null)).toBeUndefined();
    await expect(vault.set("A", null, "other")).rejects.toMatchObject({ code: "VAULT_CLOSED" });
    expect(vault.list()).toHaveLength(1);
    expect(readFileSync(path(), "utf8")).toBe(before);
  });

  it("that the keychain refuses to keep is not kept elsewhere behind the person's back", async () => {
    const refusing = keychain();
    refusing.refuse = true;
    const vault = await openVault(refusing);
    await expect(vault.set("A", null, "first-value")).rejects.toMatchObject({ code: "VAULT_CLOSED" });
    expect(readdirSync(home)).toEqual([]);
    refusing.refuse = false;
    await vault.set("A", null, "first-value");
    expect(vault.resolve("A", null)).toBe("first-value");
  });

  it("in a slot of a kind from the future is skipped, and the slot is kept", async () => {
    const vault = await openVault();
    await vault.set("A", null, "first-value");
    await vault.close();
    const file = stored();
    file.data.slots.unshift({ kind: "passphrase", salt: "abc", rounds: 5 });
    writeFileSync(path(), JSON.stringify(file));
    const again = await openVault();
    expect(again.resolve("A", null)).toBe("first-value");
    await again.set("B", null, "other-value");
    expect(stored().data.slots[0]).toEqual({ kind: "passphrase", salt: "abc", rounds: 5 });
  });

  it.each([
    ["is gone", () => rmSync(path("vault.key"))],
    ["is another one", () => writeFileSync(path("vault.key"), Buffer.alloc(32, 1).toString("base64"))],
    ["is not a key", () => writeFileSync(path("vault.key"), "x")],
    [
      "cannot be read",
      () => {
        rmSync(path("vault.key"));
        mkdirSync(path("vault.key"));
      },
    ],
  ])("file that %s closes the vault and is named", async (_, damage) => {
    const vault = await openVault();
    await vault.set("A", null, "first-value");
    await vault.close();
    damage();
    const closed = await openVault();
    expect(closed.status().problem).toMatchObject({ code: "VAULT_CLOSED" });
    expect(closed.status().problem?.message).toContain("vault.key");
    expect(() => closed.resolve("A", null)).toThrowError(/vault\.key/);
  });
});

describe("a damaged vault", () => {
  const copies = ["vault.json.bak1", "vault.json.bak2", "vault.json.bak3"];

  beforeEach(async () => {
    const vault = await openVault();
    await vault.set("A", null, "first-value");
    await vault.set("B", "one", "other-value");
    await vault.close();
  });

  it("is replaced by its newest good copy, and the person is told", async () => {
    writeFileSync(path(), readFileSync(path(), "utf8").slice(0, 100));
    const vault = await openVault();
    expect(vault.resolve("A", null)).toBe("first-value");
    expect(vault.resolve("B", "one")).toBe("other-value");
    expect(notices.map(({ code }) => code)).toEqual(["STATE_FILE_DAMAGED"]);
  });

  it("without a good copy is closed and kept: no empty vault takes its place", async () => {
    for (const name of copies) rmSync(path(name), { force: true });
    writeFileSync(path(), "{ half");
    const vault = await openVault();
    expect(vault.status().problem).toMatchObject({ code: "VAULT_CLOSED" });
    expect(vault.status().problem?.message).toContain("vault.json is damaged");
    await expect(vault.set("A", null, "new")).rejects.toMatchObject({ code: "VAULT_CLOSED" });
    expect(() => vault.resolve("A", null)).toThrowError(expect.objectContaining({ code: "VAULT_CLOSED" }));
    expect(readFileSync(path(), "utf8")).toBe("{ half");
  });

  it("keeps its other values when one was changed", async () => {
    const file = stored();
    const data: string = file.data.entries[0].sealed.data;
    file.data.entries[0].sealed.data = (data.startsWith("A") ? "B" : "A") + data.slice(1);
    writeFileSync(path(), JSON.stringify(file));
    const vault = await openVault();
    expect(() => vault.resolve("A", null)).toThrowError(/A is damaged/);
    expect(vault.resolve("B", "one")).toBe("other-value");
    await vault.set("A", null, "stored again");
    expect(vault.resolve("A", null)).toBe("stored again");
  });

  it.each([
    ["another name", { name: "OTHER" }],
    ["another agent", { agentId: "two" }],
  ])("does not give a value out under %s", async (_, moved) => {
    const file = stored();
    Object.assign(file.data.entries[1], moved);
    writeFileSync(path(), JSON.stringify(file));
    const vault = await openVault();
    const { name, agentId } = { name: "B", agentId: "one", ...moved };
    expect(() => vault.resolve(name, agentId)).toThrowError(
      expect.objectContaining({ code: "VAULT_CLOSED" }),
    );
  });
});

describe("redaction", () => {
  it("takes every stored value out of a text, the longest first", async () => {
    const vault = await openVault();
    await vault.set("A", null, "abcd");
    await vault.set("B", "one", "abcdefgh");
    expect(vault.redact("x abcdefgh y abcd z abcdabcd")).toBe("x ••• y ••• z ••••••");
  });

  it("knows the spellings in JSON, in addresses and in base64", async () => {
    const vault = await openVault();
    const value = 'p"ss/wörd\n+x';
    await vault.set("A", null, value);
    const texts = [
      value,
      JSON.stringify({ value }),
      `?q=${encodeURIComponent(value)}`,
      btoa(unescape(encodeURIComponent(value))),
    ];
    for (const text of texts) expect(vault.redact(text)).toContain("•••");
    expect(vault.redact(JSON.stringify({ value }))).toBe('{"value":"•••"}');
  });

  it("leaves short values and texts without secrets alone", async () => {
    const vault = await openVault();
    await vault.set("A", null, "abc");
    expect(vault.redact("abc def")).toBe("abc def");
  });

  it("treats a value as text, not as a pattern", async () => {
    const vault = await openVault();
    await vault.set("A", null, "a.*$(b)[c]");
    expect(vault.redact("a.*$(b)[c] axxb")).toBe("••• axxb");
  });

  it("still knows values that were replaced or removed, and those read at the start", async () => {
    const first = await openVault();
    await first.set("A", null, "old-value");
    await first.set("A", null, "new-value");
    await first.remove("A", null);
    expect(first.redact("old-value new-value")).toBe("••• •••");
    await first.set("A", null, "newest-value");
    await first.close();
    expect((await openVault()).redact("newest-value")).toBe("•••");
  });

  it("reaches into values and names of fields, numbers and plain words as names excepted", async () => {
    const vault = await openVault();
    await vault.set("A", null, "hunter22");
    await vault.set("B", null, "text");
    const value = { a: ["hunter22", { b: "x hunter22" }], hunter22: 5, n: null, text: "plain" };
    expect(vault.redactDeep(value)).toEqual({
      a: ["•••", { b: "x •••" }],
      "•••": 5,
      n: null,
      text: "plain",
    });
  });
});
