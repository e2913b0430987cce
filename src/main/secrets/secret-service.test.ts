import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { openFileStorage } from "../store/index.ts";
import { SecretService, Vault } from "./index.ts";

const passphrase = "four little words here";

let folder: string;
let vault: Vault;
let audit: { kind: string }[];
let secrets: SecretService;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-secrets-"));
  const onNotice = () => {};
  vault = await Vault.open({ storage: openFileStorage({ home: folder, onNotice }), onNotice });
  audit = [];
  secrets = new SecretService({
    vault,
    audit: { record: async (...events) => void audit.push(...events) },
    isAgent: (id) => id === "ada",
    downloads: folder,
    clock: { ...systemClock, now: () => 0 },
  });
});
afterEach(async () => {
  await vault.close();
  await rm(folder, { recursive: true, force: true });
});

test("each act is in the audit log with its names and without a value", async () => {
  await secrets.set("KEY", "ada", "value-one");
  await secrets.import("KEY=value-two\nOTHER=value-three", null, false);
  await secrets.setPassphrase(passphrase, false);
  const saved = await secrets.backUp(passphrase, true);
  await secrets.remove("KEY", "ada");
  await secrets.restore(await readFile(saved.path ?? "", "utf8"), passphrase, false);
  await secrets.setPassphrase(null);
  expect(saved).toMatchObject({ fileName: "patchbay-secrets-1970-01-01.backup", backup: "" });
  expect(audit).toEqual([
    { kind: "secret.set", name: "KEY", agentId: "ada" },
    { kind: "secret.imported", names: ["KEY", "OTHER"] },
    { kind: "secret.passphrase_set", askAtStart: false },
    { kind: "secret.backed_up" },
    { kind: "secret.removed", name: "KEY", agentId: "ada" },
    { kind: "secret.restored", names: ["KEY"] },
    { kind: "secret.passphrase_removed" },
  ]);
  expect(vault.resolve("KEY", "ada")).toBe("value-one");
});

test("what fails leaves no line in the audit log", async () => {
  await expect(secrets.set("KEY", "eva", "x")).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
  await expect(secrets.import("KEY=x", "eva", false)).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
  await expect(secrets.remove("KEY", null)).rejects.toMatchObject({ code: "SECRET_NOT_FOUND" });
  await expect(secrets.startOver()).rejects.toMatchObject({ code: "BAD_INPUT" });
  expect(audit).toEqual([]);
});
