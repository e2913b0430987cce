import { PatchbayError } from "../../../contract/index.ts";
import { saidNow } from "../../registry/pins/fingerprint.ts";
import type { HostServices } from "../../runtimes/runtime.ts";
import type { PoolOptions } from "../ports.ts";

/** Characters of JSON that one may write meanwhile: they are in our memory. */
const MOST_WRITTEN = 1024 * 1024;

/**
 * The same services for a plugin that must leave nothing behind: it reads the values and profiles that are stored, and
 * what it writes is seen by itself alone and goes with it. It cannot have a sign-in renewed or ask the model; its state, its errors, and
 * its start and end are noted nowhere. What it may not do is refused and stands in the audit log, as always.
 */
export function servicesApart(options: PoolOptions): PoolOptions {
  const {
    withheld: _withheld,
    onRun: _onRun,
    declaredBeyond: _linked,
    lendModel: _lend,
    pins,
    ...same
  } = options;
  const { agentPlugins } = options;
  const written = new Written();
  return {
    ...same,
    ...(pins && { pins: readingAlone(pins) }),
    agentPlugins: {
      list: (agentId) => agentPlugins.list(agentId),
      get: (agentId, key) => agentPlugins.get(agentId, key),
      report() {},
      storage: (agentId, key) => storageOver(written, () => agentPlugins.storage(agentId, key)),
    },
    credentials: (agentId, key) => ({
      get: async (profile) => {
        const id = `profile ${profile}`;
        // As it was set.
        if (written.has(id)) return written.get(id) as Record<string, string> | null;
        return options.credentials(agentId, key).get(profile);
      },
      set: async (profile, values) => written.set(`profile ${profile}`, values),
    }),
    oauthToken: async (agentId, key, refused, sentTo) => {
      if (refused === undefined) return options.oauthToken(agentId, key, refused, sentTo);
      throw new PatchbayError("CREDENTIALS_REFUSED", "The sign-in is not renewed for a replay.");
    },
  };
}

/** What it says is held against what the person agreed to, and taken down nowhere. */
function readingAlone(pins: NonNullable<PoolOptions["pins"]>): NonNullable<PoolOptions["pins"]> {
  return {
    changes: pins.changes,
    hear: (_plugin, said) => saidNow(said),
    heldOf: (...asked) => pins.heldOf(...asked),
    suspicionsOf: (...asked) => pins.suspicionsOf(...asked),
  };
}

function storageOver(written: Written, stored: () => HostServices["storage"]): HostServices["storage"] {
  const idOf = (name: string) => `value ${name}`;
  return {
    get: async (name) => (written.has(idOf(name)) ? written.get(idOf(name)) : stored().get(name)),
    set: async (name, value) => written.set(idOf(name), value),
    delete: async (name) => written.set(idOf(name), undefined),
  };
}

/** What was written and goes with the process; a copy of each value. */
class Written {
  readonly #texts = new Map<string, string | undefined>();

  has(id: string): boolean {
    return this.#texts.has(id);
  }

  get(id: string): unknown {
    const text = this.#texts.get(id);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** @throws PatchbayError PAYLOAD_TOO_LARGE */
  set(id: string, value: unknown): void {
    const text = JSON.stringify(value);
    let total = id.length + (text?.length ?? 0);
    for (const [other, kept] of this.#texts) if (other !== id) total += other.length + (kept?.length ?? 0);
    if (total > MOST_WRITTEN)
      throw new PatchbayError("PAYLOAD_TOO_LARGE", "A plugin may keep at most 1 MiB for an agent.");
    this.#texts.set(id, text);
  }
}
