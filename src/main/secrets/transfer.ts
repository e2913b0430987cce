import { PatchbayError } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import { readBackup, writeBackup } from "./backup.ts";
import type { Vault } from "./vault.ts";

/** The names of the secrets that an import stored and of those that it did not. */
export interface BroughtIn {
  stored: string[];
  /** Not stored, because a value is already stored under that name. */
  kept: string[];
}

/** All secrets as one text, encrypted with a passphrase. @throws PatchbayError BAD_INPUT, VAULT_CLOSED */
export async function backUp(vault: Vault, passphrase: string): Promise<string> {
  await vault.settled();
  vault.refuseWhenClosed();
  const secrets = vault.list().flatMap(({ name, agentId }) => {
    const value = vault.resolve(name, agentId);
    return value === undefined ? [] : [{ name, agentId, value }];
  });
  return writeBackup(secrets, passphrase);
}

/**
 * Stores the secrets of a backup. A value that is already stored under the same name stays, unless `replace` is set.
 *
 * @throws PatchbayError BACKUP_INVALID, VAULT_CLOSED, DISK_FULL, WRITE_FAILED
 */
export async function restore(
  vault: Vault,
  text: string,
  passphrase: string,
  replace: boolean,
): Promise<BroughtIn> {
  const secrets = await readBackup(text, passphrase);
  const result: BroughtIn = { stored: [], kept: [] };
  for (const agentId of new Set(secrets.map((secret) => secret.agentId))) {
    const own = secrets.filter((secret) => secret.agentId === agentId);
    const { stored, kept } = await bringIn(
      vault,
      new Map(own.map(({ name, value }) => [name, value])),
      agentId,
      replace,
    );
    result.stored.push(...stored);
    result.kept.push(...kept);
  }
  return result;
}

/** Stores values under their names, in one write. A value that is already stored stays, unless `replace` is set. */
export async function bringIn(
  vault: Vault,
  values: ReadonlyMap<string, string>,
  agentId: string | null,
  replace: boolean,
): Promise<BroughtIn> {
  const present = new Set(
    vault
      .list()
      .filter((secret) => secret.agentId === agentId)
      .map(({ name }) => name),
  );
  const kept = replace ? [] : [...values.keys()].filter((name) => present.has(name));
  const wanted = new Map([...values].filter(([name]) => !kept.includes(name)));
  await vault.setAll(wanted, agentId);
  return { stored: [...wanted.keys()], kept };
}

const line = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/;

/**
 * Names and values from another program: a JSON object `{NAME: "value"}` or `{NAME: {value: "…"}}`, or lines
 * `NAME=value` as in an `.env` file. A name may be written as a reference, `${{NAME}}`.
 *
 * @throws PatchbayError BAD_INPUT, naming the first line or name that cannot be read; never a value
 */
export function parseSecrets(text: string): Map<string, string> {
  const values = text.trimStart().startsWith("{") ? fromJson(text) : fromLines(text);
  if (values.size === 0) throw new PatchbayError("BAD_INPUT", "There is no secret in this text.");
  return values;
}

function fromJson(text: string): Map<string, string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's own message is not passed on, because it quotes the text, and with it secret values.
    throw new PatchbayError("BAD_INPUT", "This begins like JSON, but is none.");
  }
  const values = new Map<string, string>();
  for (const [key, entry] of Object.entries(parsed ?? {})) {
    const value: unknown = isObject(entry) ? entry.value : entry;
    if (typeof value !== "string" || value === "") {
      throw new PatchbayError("BAD_INPUT", `The value of ${key} is not a text.`);
    }
    values.set(plainName(key), value);
  }
  return values;
}

function fromLines(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    if (raw.trim() === "" || raw.trim().startsWith("#")) continue;
    const [, name, value] = line.exec(raw.replace(/^(\s*(?:export\s+)?)\$\{\{?(\w+)\}?\}/, "$1$2")) ?? [];
    if (name === undefined || !value) {
      throw new PatchbayError("BAD_INPUT", `Line ${index + 1} is not of the form NAME=value.`);
    }
    values.set(name, unquoted(value));
  }
  return values;
}

function unquoted(value: string): string {
  const [, single, double] = /^(?:'(.*)'|"((?:[^"\\]|\\.)*)")$/s.exec(value) ?? [];
  if (single !== undefined) return single;
  if (double === undefined) return value;
  return double.replace(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
}

function plainName(key: string): string {
  return /^\$\{\{?(\w+)\}?\}$/.exec(key.trim())?.[1] ?? key.trim();
}
