import type { ChannelApproval, ChannelApprovalOutcome } from "@patchbay/plugin-sdk";
import { type Approval, PatchbayError } from "../../../contract/index.ts";
import { cleanJson } from "../../../contract/shown/clean-text.ts";
import { inShownOrder } from "../../../contract/shown/whole-arguments.ts";
import type { ApprovalListener, ChannelReview } from "../../runtimes/channel-door.ts";
import type { Approvals } from "../approvals.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { ChannelRoles } from "./channel-roles.ts";

/** Characters of the arguments that a chat is shown at most. A channel may state that it shows less. */
const SHOWN_ARGUMENTS = 1_000;

/**
 * The approvals as channels use them. Where the person has allowed it, a chat is told of waiting calls, and an owner
 * there may decide exactly one call. Who is an owner is what the person's settings say.
 */
export class ChannelApprovals {
  readonly #approvals: Approvals;
  readonly #sessions: Sessions;
  readonly #roles: ChannelRoles;
  /** What channels stated that they show, by agent and plugin. */
  readonly #shows = new Map<string, number>();

  constructor(options: { approvals: Approvals; sessions: Sessions }, roles: ChannelRoles) {
    this.#approvals = options.approvals;
    this.#sessions = options.sessions;
    this.#roles = roles;
  }

  /**
   * Tells the listener of every waiting call of the agent, beginning with those that wait already, while the channel
   * may decide. Returns a function that stops this.
   * @param characters of the arguments that the channel shows; never more than the core's own limit
   */
  follow(
    agentId: string,
    pluginKey: string,
    listener: ApprovalListener,
    characters = SHOWN_ARGUMENTS,
  ): () => void {
    this.#shows.set(`${agentId} ${pluginKey}`, Math.min(SHOWN_ARGUMENTS, characters));
    let ended = false;
    // Told one after the other, so that the end of a call is never told before its beginning.
    let telling: Promise<unknown> = Promise.resolve();
    const tell = (approval: Approval) => {
      if (approval.agentId !== agentId) return;
      telling = telling.then(async () => {
        if (ended) return;
        if (approval.status !== "waiting") listener.settled(approval.id, outcomeOf(approval));
        else if (this.#roles.mayDecide(agentId, pluginKey))
          listener.asked(await this.#shown(approval, pluginKey));
      });
    };
    this.#approvals.changes.on("approval", tell);
    for (const approval of this.#approvals.list()) if (approval.status === "waiting") tell(approval);
    return () => {
      ended = true;
      this.#approvals.changes.off("approval", tell);
    };
  }

  /**
   * Decides one call, once, for the arguments that were shown. One that is decided already keeps its outcome. A call
   * that is too long to be shown whole can only be refused. What is refused here is in the audit log.
   * @throws PatchbayError DECIDING_NOT_GRANTED, NOT_THE_OWNER, NOT_SHOWN_WHOLE, APPROVAL_NOT_FOUND
   */
  async review(
    agentId: string,
    pluginKey: string,
    input: ChannelReview,
  ): Promise<{ outcome: ChannelApprovalOutcome }> {
    const { request, decision, userId } = input;
    const role = this.#roles.roleOf(agentId, pluginKey, userId, input.role);
    const refuse = (error: PatchbayError) => {
      this.#roles.refused(agentId, pluginKey, "approval", { request, decision, userId, code: error.code });
      return error;
    };
    if (!this.#roles.mayDecide(agentId, pluginKey)) {
      const why = `Nobody has allowed ${pluginKey} to decide waiting calls from its chats.`;
      throw refuse(new PatchbayError("DECIDING_NOT_GRANTED", why));
    }
    if (role !== "owner") {
      const why = `${userId} is not among the owners that the settings of ${pluginKey} name.`;
      throw refuse(new PatchbayError("NOT_THE_OWNER", why));
    }
    const approval = this.find(agentId, ({ id, shortId }) => id === request || shortId === request);
    if (!approval) throw new PatchbayError("APPROVAL_NOT_FOUND", `There is no question ${request}.`);
    if (approval.owner === pluginKey) {
      const why = "A plugin cannot pass on the decision about its own calls.";
      throw refuse(new PatchbayError("NOT_THE_OWNER", why));
    }
    if (approval.status !== "waiting") return { outcome: outcomeOf(approval) };
    if (decision === "allow" && !this.#isShownWhole(approval, pluginKey)) {
      const why = `The arguments of ${approval.title} are too long to be shown whole in a chat.`;
      throw refuse(new PatchbayError("NOT_SHOWN_WHOLE", why));
    }
    const by = { kind: "channel" as const, channel: pluginKey, userId, role };
    const answer =
      decision === "allow"
        ? { decision: "allow" as const, scope: "once" as const }
        : { decision: "deny" as const };
    return { outcome: outcomeOf(await this.#approvals.decide(approval.id, answer, by)) };
  }

  /** A call that waits or waited, as chats see it; undefined when there is none. */
  find(agentId: string, fits: (approval: Approval) => boolean): Approval | undefined {
    return this.#approvals.list().find((approval) => approval.agentId === agentId && fits(approval));
  }

  /** Whether the channel can show everything that somebody would allow. */
  #isShownWhole(approval: Approval, pluginKey: string): boolean {
    return argumentsOf(approval).length <= this.#mostShown(approval.agentId, pluginKey);
  }

  #mostShown(agentId: string, pluginKey: string): number {
    return this.#shows.get(`${agentId} ${pluginKey}`) ?? SHOWN_ARGUMENTS;
  }

  async #shown(approval: Approval, pluginKey: string): Promise<ChannelApproval> {
    const { id, shortId, title, sessionId, agentId, expiresAt } = approval;
    const text = argumentsOf(approval);
    const whole = this.#isShownWhole(approval, pluginKey);
    const session = await this.#sessions.open(agentId, sessionId).catch(() => null);
    const source = session?.view.source;
    return {
      requestId: id,
      shortId,
      tool: title,
      arguments: whole ? text : cutTo(text, this.#mostShown(agentId, pluginKey)),
      whole,
      sessionId,
      conversation: source?.channel === pluginKey ? (source.conversation ?? null) : null,
      expiresAt,
    };
  }
}

/**
 * What would hide in a chat, or turn the rest round, is spelled out. Paths and commands come first, so that what is cut off
 * is the end of a long text.
 */
function argumentsOf(approval: Approval): string {
  return cleanJson(JSON.stringify(inShownOrder(approval.arguments)));
}

/** The beginning of a text, with how many characters of it are missing. */
function cutTo(text: string, most: number): string {
  const room = Math.max(0, most - ` … [+${text.length}]`.length);
  const head = text.slice(0, room).toWellFormed();
  return `${head} … [+${text.length - head.length}]`;
}

function outcomeOf({ status }: Approval): ChannelApprovalOutcome {
  switch (status) {
    case "allowed":
      return "allowed";
    case "denied":
      return "refused";
    case "timed_out":
      return "expired";
    case "cancelled":
    case "waiting":
      return "cancelled";
  }
}
