import type { ChannelMessage } from "@patchbay/plugin-sdk";
import { PatchbayError } from "../../../contract/index.ts";
import type { ChannelRules, RoomRules } from "../../runtimes/channel-door.ts";
import type { AuditSink } from "../ports.ts";

/** What the person says of a channel, in its settings and by letting people in; the channel's own code has no say in it. */
export interface ChannelRights {
  /** The role of a user: `owner`, `user`, or undefined for anybody else. */
  roleOf(agentId: string, pluginKey: string, userId: string): string | undefined;
  /** Whether owners may decide waiting calls from the chats of this channel. */
  mayDecide(agentId: string, pluginKey: string): boolean;
  /** Null for a channel whose settings know no such rules: it judges by itself whom it answers. */
  rulesOf(agentId: string, pluginKey: string): ChannelRules | null;
}

/** Nobody has a role, and nothing is decided from a chat. */
export const noRights: ChannelRights = {
  roleOf: () => undefined,
  mayDecide: () => false,
  rulesOf: () => null,
};

/** Most claims that are remembered, so that each is in the audit log once. */
const MOST_CLAIMS = 1_000;

type Claim = Pick<ChannelMessage, "userId" | "role">;

/**
 * Gives people of a channel their role. A channel says who wrote, and may say which role it takes them for; the role
 * that counts is that of the settings. What a channel claims beyond that is dropped and recorded.
 */
export class ChannelRoles {
  readonly #rights: ChannelRights;
  readonly #audit: AuditSink;
  readonly #claims = new Set<string>();

  constructor(options: { rights?: ChannelRights | undefined; audit: AuditSink }) {
    this.#rights = options.rights ?? noRights;
    this.#audit = options.audit;
  }

  /** The message with the role that counts, or with none. */
  judge<T extends Claim>(agentId: string, pluginKey: string, message: T): T {
    const { role: claimed, ...rest } = message;
    const role = this.roleOf(agentId, pluginKey, message.userId, claimed);
    return { ...rest, ...(role !== undefined && { role }) } as T;
  }

  /**
   * The role that counts. `user` is what a channel calls everybody whom it lets write, so it may be claimed; it gives
   * nothing that the channel could not give by letting somebody write.
   */
  roleOf(agentId: string, pluginKey: string, userId: string, claimed?: string): string | undefined {
    const given = this.#rights.roleOf(agentId, pluginKey, userId);
    if (claimed === undefined || claimed === given || claimed === "user") return given ?? claimed;
    this.#refuse(agentId, pluginKey, userId, claimed);
    return given;
  }

  rulesOf(agentId: string, pluginKey: string): ChannelRules | null {
    return this.#rights.rulesOf(agentId, pluginKey);
  }

  /**
   * Refuses a message of somebody who is on no list, where only listed people are answered, and a question in a room where
   * nothing is. The channel should not have brought it; whoever it says that they are counts for nothing.
   * @throws PatchbayError NOT_LET_IN
   */
  letIn(
    agentId: string,
    pluginKey: string,
    message: Pick<ChannelMessage, "userId" | "group" | "room">,
    what: "answer" | "remember",
  ): void {
    const rules = this.rulesOf(agentId, pluginKey);
    if (!rules) return;
    const { userId } = message;
    const room = ruleOfRoom(rules, message);
    if (what === "answer" && room?.answers === "never") {
      this.#refuse(agentId, pluginKey, userId, `answered in ${room.room}`);
      throw new PatchbayError("NOT_LET_IN", `Nothing is answered in ${room.room}.`);
    }
    const role = this.#rights.roleOf(agentId, pluginKey, userId);
    if (role === "owner" || isAnswered(rules, room, { ...message, listed: role !== undefined })) return;
    this.#refuse(agentId, pluginKey, userId, "let in");
    throw new PatchbayError("NOT_LET_IN", `${userId} is not among the people whom ${pluginKey} may answer.`);
  }

  /** What the person adds to the agent's system prompt in the room of a message; undefined for nothing. */
  promptOf(agentId: string, pluginKey: string, message: Pick<ChannelMessage, "group" | "room">) {
    const rules = this.rulesOf(agentId, pluginKey);
    return (rules && ruleOfRoom(rules, message)?.prompt) || undefined;
  }

  /**
   * Refuses a message whose conversation belongs to another room: what holds in one room, and what was said there, must not
   * come into another. A room that the settings name no more has been renamed there.
   * @throws PatchbayError OTHER_ROOM
   */
  sameRoom(
    agentId: string,
    pluginKey: string,
    { conversation, userId, room }: Pick<ChannelMessage, "conversation" | "userId" | "room">,
    before: string | undefined,
  ): void {
    if (before === undefined || (room !== undefined && sameName(room, before))) return;
    if (!this.rulesOf(agentId, pluginKey)?.named?.some((name) => sameName(name, before))) return;
    this.refused(agentId, pluginKey, "room", { userId, conversation, room: before, claimed: room ?? null });
    throw new PatchbayError("OTHER_ROOM", `The conversation ${conversation} belongs to ${before}.`);
  }

  mayDecide(agentId: string, pluginKey: string): boolean {
    return this.#rights.mayDecide(agentId, pluginKey);
  }

  /** Records something that a channel tried without the right to. */
  refused(agentId: string, pluginKey: string, target: string, detail: Record<string, unknown>): void {
    this.#audit.record({ kind: "wall.refused", agentId, pluginKey, wall: "authority", target, detail });
  }

  #refuse(agentId: string, pluginKey: string, userId: string, claimed: string): void {
    const claim = JSON.stringify([agentId, pluginKey, userId, claimed]);
    if (this.#claims.has(claim)) return;
    if (this.#claims.size >= MOST_CLAIMS) this.#claims.clear();
    this.#claims.add(claim);
    this.refused(agentId, pluginKey, "role", { userId, claimed: claimed.slice(0, 80) });
  }
}

/** The rules of the room that a message came from; undefined where it has none of its own, and in direct conversations. */
function ruleOfRoom(
  { rooms = [] }: ChannelRules,
  { group, room }: Pick<ChannelMessage, "group" | "room">,
): RoomRules | undefined {
  return group && room !== undefined ? rooms.find((one) => sameName(one.room, room)) : undefined;
}

/** Whether somebody who is no owner is answered. `listed`: they are among the people of the channel. */
function isAnswered(
  { groupsOnlyListed, strangers }: ChannelRules,
  room: RoomRules | undefined,
  { userId, group, listed }: Pick<ChannelMessage, "userId" | "group"> & { listed: boolean },
): boolean {
  switch (room?.people ?? "as-elsewhere") {
    case "everybody":
      return true;
    case "these":
      return room?.users.includes(userId.trim()) === true;
    case "as-elsewhere":
      return listed || (group ? !groupsOnlyListed : strangers === "answer");
  }
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
