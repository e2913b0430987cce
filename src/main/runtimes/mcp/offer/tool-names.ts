import { createHash } from "node:crypto";
import { toolNamePattern } from "../../../../contract/index.ts";

/** Most characters of a name that model providers accept. */
const MOST = 64;

/**
 * The full names of a server's tools, by its own names: `<namespace>__<tool>`, with `_` for characters that model providers
 * refuse. One that is too long or taken already is cut and gets six digits of its name's SHA-256 behind it.
 */
export function toolNames(namespace: string, names: readonly string[]): Map<string, string> {
  const full = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of names) {
    if (full.has(name)) continue;
    const plain = `${namespace}__${name.replace(/[^A-Za-z0-9_-]/g, "_")}`;
    const fits = toolNamePattern.test(plain) && !taken.has(plain);
    const joined = fits ? plain : `${plain.slice(0, MOST - 7)}_${digest(name)}`;
    if (taken.has(joined)) continue;
    taken.add(joined);
    full.set(name, joined);
  }
  return full;
}

function digest(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 6);
}
