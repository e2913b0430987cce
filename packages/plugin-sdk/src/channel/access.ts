import type { InboundMessage } from "./transport.ts";

/** Who may talk with the agent, by the platform's stable ids. */
export interface AccessRules {
  /** Users with the role `owner`: they may decide approvals, and are answered in groups without a mention. */
  owners: readonly string[];
  /** Users with the role `user`: they may write to the agent directly. */
  users: readonly string[];
  /** Everybody may write to the agent directly. Set it only when the person chose so. */
  everyone: boolean;
  /** Groups in which the agent answers. Empty: none. */
  groups: readonly string[];
  /** In those groups only owners and users are answered. Default: true; set it to false only when the person chose so. */
  groupsOnlyListed?: boolean;
  /** Messages in those groups that are not for the agent are stored as context. */
  listenInGroups?: boolean;
  /** Turns an id into the form in which ids are compared, for example lower case. Default: ids are compared exactly. */
  normalise?: (id: string) => string;
}

export type ChannelRole = "owner" | "user";

/** The ids by which somebody is found in lists: none for a person whose id can change hands. */
export function lastingIdsOf({ id, aliases = [], lasting = true }: InboundMessage["from"]): string[] {
  return lasting ? [id, ...aliases] : [];
}

export class Access {
  readonly #rules: AccessRules;
  readonly #owners: ReadonlySet<string>;
  readonly #users: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;

  constructor(rules: AccessRules) {
    this.#rules = rules;
    this.#owners = this.#set(rules.owners);
    this.#users = this.#set(rules.users);
    this.#groups = this.#set(rules.groups);
  }

  isOwner(ids: readonly string[]): boolean {
    return this.#names(this.#owners, ids);
  }

  /** The owner in the settings who has this id, in the spelling of the settings; null when there is none. */
  ownerNamed(id: string): string | null {
    const normal = this.#normal(id);
    return this.#rules.owners.find((owner) => this.#normal(owner) === normal) ?? null;
  }

  /** The first owner in the settings who has one of these ids, in the spelling of the settings; null for nobody. */
  ownerAmong(ids: readonly string[]): string | null {
    for (const id of ids) {
      const owner = this.ownerNamed(id);
      if (owner !== null) return owner;
    }
    return null;
  }

  get owners(): readonly string[] {
    return this.#rules.owners;
  }

  /** Decides what to do with a message, before its files are fetched. Null: ignore it, without an answer. */
  judge(message: InboundMessage): { role: ChannelRole; what: "answer" | "remember" } | null {
    const ids = lastingIdsOf(message.from);
    const owner = this.isOwner(ids);
    const listed = owner || this.#names(this.#users, ids);
    const role = owner ? "owner" : "user";
    const { group } = message;
    if (!group) return listed || this.#rules.everyone ? { role, what: "answer" } : null;
    if (!this.#names(this.#groups, [group.id ?? message.conversation])) return null;
    if ((this.#rules.groupsOnlyListed ?? true) && !listed) return null;
    if (group.addressed || owner) return { role, what: "answer" };
    return this.#rules.listenInGroups ? { role, what: "remember" } : null;
  }

  #set(ids: readonly string[]): ReadonlySet<string> {
    return new Set(ids.map((id) => this.#normal(id)).filter((id) => id !== ""));
  }

  #names(set: ReadonlySet<string>, ids: readonly string[]): boolean {
    return ids.some((id) => set.has(this.#normal(id)));
  }

  #normal(id: string): string {
    const trimmed = id.trim();
    return this.#rules.normalise ? this.#rules.normalise(trimmed) : trimmed;
  }
}
