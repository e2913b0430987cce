import { type AgentPluginRow, isObject, PatchbayError } from "../../../contract/index.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import { givenTo } from "../../registry/given-secrets.ts";
import type { AgentPlugins } from "../../registry/index.ts";
import { secretName } from "../../registry/settings/secret-fields.ts";
import type { HostServices } from "../../runtimes/runtime.ts";
import type { Vault } from "../../secrets/index.ts";
import { readRecord } from "./record.ts";

type Store = HostServices["credentials"];
export type Profiles = Record<string, Record<string, string>>;

export interface CredentialSources {
  vault: Pick<Vault, "resolve" | "set" | "hide" | "hideInside" | "list" | "refuseWhenClosed">;
  agentPlugins: Pick<AgentPlugins, "get" | "list">;
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
    const name = this.#name(agentId, key);
    if (name !== null && this.#isStored(name, agentId)) this.#sources.vault.hideInside(name, agentId, null);
  }

  read(agentId: string, key: string): Profiles {
    const name = this.#name(agentId, key);
    const stored =
      name !== null && this.#isStored(name, agentId) ? this.#sources.vault.resolve(name, agentId) : undefined;
    if (stored === undefined) return {};
    const profiles = profilesIn(stored);
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
    const name = this.#name(agentId, key);
    if (name === null) {
      throw new PatchbayError(
        "BAD_INPUT",
        "The name under which it would be kept belongs to another plugin.",
      );
    }
    await this.#sources.vault.set(name, agentId, JSON.stringify(next));
  }

  /**
   * The name of the entry; null when the name that a plugin's key makes was given to another plugin: `mail-x` keeps its
   * profiles as `MAIL_X_CREDENTIALS`, which may be the secret `x_credentials` of `mail`.
   */
  #name(agentId: string, key: string): string | null {
    const { agentPlugins } = this.#sources;
    const { finished } = readRecord(agentPlugins.get(agentId, key));
    if (finished?.credentials) return finished.credentials;
    const name = secretName(key, "credentials");
    const others = agentPlugins.list(agentId).filter((row) => row.pluginKey !== key);
    const isAnothers = others.some((row) => givenTo(row).has(name) || keptNames(row).includes(name));
    return isAnothers ? null : name;
  }

  /** Whether the agent itself has it: a secret that all agents share is no plugin's profile. */
  #isStored(name: string, agentId: string): boolean {
    return this.#sources.vault.list().some((secret) => secret.name === name && secret.agentId === agentId);
  }
}

function keptNames(row: AgentPluginRow): (string | null | undefined)[] {
  const { finished } = readRecord(row);
  return [finished?.credentials, finished?.grant];
}

/** What is stored as profiles; none when it is something else. */
function profilesIn(stored: string): Profiles {
  try {
    const parsed: unknown = JSON.parse(stored);
    return isObject(parsed) ? (parsed as Profiles) : {};
  } catch {
    // The parser's own message is not passed on: it quotes the text.
    return {};
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
