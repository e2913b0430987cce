import type { ChannelPeople } from "../channel-agent.ts";
import type { InboundMessage } from "./transport.ts";

/** Who may talk with the agent, by the platform's stable ids. */
export interface AccessRules {
  /** Users with the role `owner`: they may decide approvals, and are answered in groups without a mention. */
  owners: readonly string[];
  /** Users with the role `user`: they may write to the agent directly. */
  users: readonly string[];
  /** Everybody may write to the agent directly. Set it only when the person chose so. The same as `strangers: "answer"`. */
  everyone: boolean;
  /**
   * What happens to somebody who writes directly and is on no list. `pair`: they are told a code once, and answered when
   * the person has let them in. Default: `ignore`.
   */
  strangers?: "pair" | "ignore" | "answer";
  /** Groups in which the agent answers. Empty: none. */
  groups: readonly string[];
  /** In those groups only owners and users are answered. Default: true; set it to false only when the person chose so. */
  groupsOnlyListed?: boolean;
  /** Messages in those groups that are not for the agent are stored as context. */
  listenInGroups?: boolean;
  /** Rooms with rules of their own; the first of several with one name counts. They must be among the groups. */
  rooms?: readonly RoomRules[];
  /** Turns an id into the form in which ids are compared, for example lower case. Default: ids are compared exactly. */
  normalise?: (id: string) => string;
}

/** What holds in one group, channel or room. Patchbay reads it from the settings, too, and refuses what goes against it. */
export interface RoomRules {
  /** As in the list of groups. */
  room: string;
  /**
   * When the agent answers there. `as-elsewhere`: when it is addressed, to owners always; `never`: what is said there is
   * stored as context.
   */
  answers?: "as-elsewhere" | "mentioned" | "everything" | "never";
  /** Who is answered there, owners aside: as the other rules say, everybody, or `users` alone. */
  people?: "as-elsewhere" | "everybody" | "these";
  users?: readonly string[];
}

export type ChannelRole = "owner" | "user";

/** The ids by which somebody is found in lists: none for a person whose id can change hands. */
export function lastingIdsOf({ id, aliases = [], lasting = true }: InboundMessage["from"]): string[] {
  return lasting ? [id, ...aliases] : [];
}

export class Access {
  readonly #rules: AccessRules;
  readonly #groups: ReadonlySet<string>;
  /** Who was let in beside the lists. */
  #letIn: ChannelPeople["listed"] = [];

  constructor(rules: AccessRules) {
    this.#rules = rules;
    this.#groups = this.#set(rules.groups);
  }

  /** From now on these people are listed, too. */
  letIn(people: ChannelPeople["listed"]): void {
    this.#letIn = people;
  }

  get letInNow(): ChannelPeople["listed"] {
    return this.#letIn;
  }

  get strangers(): "pair" | "ignore" | "answer" {
    return this.#rules.everyone ? "answer" : (this.#rules.strangers ?? "ignore");
  }

  isOwner(ids: readonly string[]): boolean {
    return this.ownerAmong(ids) !== null;
  }

  /** The owner who has this id, in the spelling of the list; null when there is none. */
  ownerNamed(id: string): string | null {
    return this.#spelled(this.owners, id);
  }

  /** The listed person who has one of these ids, in the spelling of the list: Patchbay compares letter by letter. */
  listedAmong(ids: readonly string[]): string | null {
    const all = [...this.owners, ...this.#rules.users, ...this.#letIn.map(({ userId }) => userId)];
    for (const id of ids) {
      const listed = this.#spelled(all, id);
      if (listed !== null) return listed;
    }
    return null;
  }

  /** The first owner who has one of these ids, in the spelling of the list; null for nobody. */
  ownerAmong(ids: readonly string[]): string | null {
    for (const id of ids) {
      const owner = this.ownerNamed(id);
      if (owner !== null) return owner;
    }
    return null;
  }

  get owners(): readonly string[] {
    const letIn = this.#letIn.filter(({ role }) => role === "owner").map(({ userId }) => userId);
    return [...this.#rules.owners, ...letIn];
  }

  /** Whether somebody with this id is answered when they write directly. */
  mayWrite(id: string): boolean {
    return this.strangers === "answer" || this.listedAmong([id]) !== null;
  }

  /** Decides what to do with a message, before its files are fetched. Null: ignore it, without an answer. */
  judge(message: InboundMessage): { role: ChannelRole; what: "answer" | "remember" } | null {
    const ids = lastingIdsOf(message.from);
    const owner = this.isOwner(ids);
    const listed = owner || this.listedAmong(ids) !== null;
    const role: ChannelRole = owner ? "owner" : "user";
    const { group } = message;
    if (!group) return listed || this.strangers === "answer" ? { role, what: "answer" } : null;
    if (!this.#names(this.#groups, [group.id ?? message.conversation])) return null;
    const room = this.#rulesOfRoom(message);
    if (!owner && !this.#isAnswered(room, ids, listed)) return null;
    const remember = this.#rules.listenInGroups ? { role, what: "remember" as const } : null;
    switch (room?.answers ?? "as-elsewhere") {
      case "never":
        return { role, what: "remember" };
      case "mentioned":
        return group.addressed ? { role, what: "answer" } : remember;
      case "everything":
        return group.addressed || !group.toOthers ? { role, what: "answer" } : remember;
      case "as-elsewhere": {
        // Whoever gets here in a room with a list of its own is on that.
        const named = listed || room?.people === "these";
        const goesOn = owner || (group.followUp === true && named);
        const isMeant = group.addressed || (!group.toOthers && goesOn);
        return isMeant ? { role, what: "answer" } : remember;
      }
    }
  }

  /** The group, channel or room of a message, in the spelling of the list; undefined in direct conversations. */
  roomOf({ group, conversation }: InboundMessage): string | undefined {
    const id = group && (group.id ?? conversation);
    return id && (this.#spelled(this.#rules.groups, id) ?? id);
  }

  /**
   * The id by which Patchbay finds whoever wrote a message in the lists: in the spelling of the list that lets them in. Null
   * for somebody who is on none.
   */
  listedId(message: InboundMessage): string | null {
    const ids = lastingIdsOf(message.from);
    const room = this.#rulesOfRoom(message);
    const users = room?.people === "these" ? (room.users ?? []) : [];
    const inRoom = ids.map((id) => this.#spelled(users, id)).find((id) => id !== null);
    return this.ownerAmong(ids) ?? inRoom ?? this.listedAmong(ids);
  }

  #rulesOfRoom(message: InboundMessage): RoomRules | undefined {
    const room = this.roomOf(message);
    if (room === undefined) return undefined;
    return this.#rules.rooms?.find((one) => this.#normal(one.room) === this.#normal(room));
  }

  /** Whether somebody who is no owner is answered in a group. */
  #isAnswered(room: RoomRules | undefined, ids: readonly string[], listed: boolean): boolean {
    switch (room?.people ?? "as-elsewhere") {
      case "everybody":
        return true;
      case "these":
        return ids.some((id) => this.#spelled(room?.users ?? [], id) !== null);
      case "as-elsewhere":
        return listed || this.#rules.groupsOnlyListed === false;
    }
  }

  #spelled(list: readonly string[], id: string): string | null {
    const normal = this.#normal(id);
    return normal === "" ? null : (list.find((listed) => this.#normal(listed) === normal) ?? null);
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
