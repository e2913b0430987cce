import type { InboundMessage } from "./transport.ts";

/** Who may talk with the agent, by the platform's stable ids. */
export interface AccessRules {
  /** Role `owner`: may decide approvals, is heard in groups without a mention. */
  owners: readonly string[];
  /** Role `user`: may write directly. */
  users: readonly string[];
  /** Everybody may write directly. Only where the person chose it. */
  everyone: boolean;
  /** Groups in which the agent answers. Empty: none. */
  groups: readonly string[];
  /** In those groups only owners and users are answered. */
  groupsOnlyListed?: boolean;
  /** What is said in those groups to others is remembered as context. */
  listenInGroups?: boolean;
  /** How ids are compared, where that is not letter by letter. */
  normalise?: (id: string) => string;
}

export type ChannelRole = "owner" | "user";

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

  /** The owner of the settings whom this id names, as it is written there. */
  ownerNamed(id: string): string | null {
    const normal = this.#normal(id);
    return this.#rules.owners.find((owner) => this.#normal(owner) === normal) ?? null;
  }

  get owners(): readonly string[] {
    return this.#rules.owners;
  }

  /** What to do with a message, before anything of it is fetched. Null: nothing at all, and nobody is told. */
  judge(message: InboundMessage): { role: ChannelRole; what: "answer" | "remember" } | null {
    const ids = [message.from.id, ...(message.from.aliases ?? [])];
    const owner = this.isOwner(ids);
    const listed = owner || this.#names(this.#users, ids);
    const role = owner ? "owner" : "user";
    const { group } = message;
    if (!group) return listed || this.#rules.everyone ? { role, what: "answer" } : null;
    if (!this.#names(this.#groups, [group.id ?? message.conversation])) return null;
    if (this.#rules.groupsOnlyListed && !listed) return null;
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
