import { SerialQueue } from "../../base/serial-queue.ts";
import type { AgentPlugins } from "../../registry/index.ts";
import { secretName } from "../../registry/secret-fields.ts";
import type { HostServices } from "../../runtimes/runtime.ts";
import type { Vault } from "../../secrets/index.ts";
import { readRecord } from "./record.ts";

type Store = HostServices["credentials"];
export type Profiles = Record<string, Record<string, string>>;

export interface CredentialSources {
  vault: Pick<Vault, "resolve" | "set" | "hide" | "hideInside" | "refuseWhenClosed">;
  agentPlugins: Pick<AgentPlugins, "get">;
}

/** What plugins keep in profiles: one encrypted entry of the vault for each (agent, plugin). */
export class PluginCredentials {
  readonly #sources: CredentialSources;
  readonly #queue = new SerialQueue();

  constructor(sources: CredentialSources) {
    this.#sources = sources;
  }

  /** The store of one plugin's profiles. Its methods throw PatchbayError VAULT_CLOSED, DISK_FULL, WRITE_FAILED. */
  of(agentId: string, key: string): Store {
    return {
      get: async (profile) => this.read(agentId, key)[profile] ?? null,
      set: (profile, values) => this.#queue.run(() => this.#write(agentId, key, profile, values)),
    };
  }

  /** Tells the vault the values in what a plugin keeps, so that it hides each of them. */
  learn(agentId: string, key: string): void {
    this.#sources.vault.hideInside(this.#name(agentId, key), agentId, null);
  }

  read(agentId: string, key: string): Profiles {
    const stored = this.#sources.vault.resolve(this.#name(agentId, key), agentId);
    if (stored === undefined) return {};
    const parsed: unknown = JSON.parse(stored);
    const profiles = typeof parsed === "object" && parsed !== null ? (parsed as Profiles) : {};
    // The vault hides the whole entry as one text; the values inside it must be hidden one by one, too.
    for (const values of Object.values(profiles))
      for (const value of Object.values(values)) this.#sources.vault.hide(value);
    return profiles;
  }

  async #write(
    agentId: string,
    key: string,
    profile: string,
    values: Record<string, string> | null,
  ): Promise<void> {
    const { [profile]: _old, ...others } = this.read(agentId, key);
    const next = values === null ? others : { ...others, [profile]: values };
    for (const value of Object.values(values ?? {})) this.#sources.vault.hide(value);
    await this.#sources.vault.set(this.#name(agentId, key), agentId, JSON.stringify(next));
  }

  #name(agentId: string, key: string): string {
    const { finished } = readRecord(this.#sources.agentPlugins.get(agentId, key));
    return finished?.credentials ?? secretName(key, "credentials");
  }
}

/**
 * The profiles that a setup changes, kept in memory until the setup is done; unchanged ones are read from what is
 * stored.
 */
export class StagedCredentials implements Store {
  readonly #stored: Profiles;
  readonly #hide: (value: string) => void;
  #staged: Profiles | null = null;

  constructor(stored: Profiles, hide: (value: string) => void) {
    this.#stored = stored;
    this.#hide = hide;
  }

  /** All profiles as they are to be stored; null when nothing was changed. */
  get changed(): Profiles | null {
    return this.#staged;
  }

  async get(profile: string): Promise<Record<string, string> | null> {
    return (this.#staged ?? this.#stored)[profile] ?? null;
  }

  async set(profile: string, values: Record<string, string> | null): Promise<void> {
    const { [profile]: _old, ...others } = this.#staged ?? this.#stored;
    for (const value of Object.values(values ?? {})) this.#hide(value);
    this.#staged = values === null ? others : { ...others, [profile]: values };
  }
}
