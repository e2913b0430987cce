import type { ChannelApproval, ChannelApprovalOutcome } from "@patchbay/plugin-sdk";
import { type Approval, PatchbayError } from "../../../contract/index.ts";
import type { ApprovalListener, ChannelReview } from "../../runtimes/runtime.ts";
import type { Approvals } from "../approvals.ts";
import type { Sessions } from "../sessions/sessions.ts";

/** Characters of the arguments that a chat is shown. */
const SHOWN_ARGUMENTS = 1_000;

/**
 * The approvals as channels use them: a chat is told of waiting calls, and an owner there may decide exactly one call.
 */
export class ChannelApprovals {
  readonly #approvals: Approvals;
  readonly #sessions: Sessions;

  constructor(options: { approvals: Approvals; sessions: Sessions }) {
    this.#approvals = options.approvals;
    this.#sessions = options.sessions;
  }

  /**
   * Tells the listener of every waiting call of the agent, beginning with those that wait already. Returns a function
   * that stops this.
   */
  follow(agentId: string, pluginKey: string, listener: ApprovalListener): () => void {
    let ended = false;
    // Told one after the other, so that the end of a call is never told before its beginning.
    let telling: Promise<unknown> = Promise.resolve();
    const tell = (approval: Approval) => {
      if (approval.agentId !== agentId) return;
      telling = telling.then(async () => {
        if (ended) return;
        if (approval.status !== "waiting") listener.settled(approval.id, outcomeOf(approval));
        else listener.asked(await this.#shown(approval, pluginKey));
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
   * Decides one call, once, for the arguments that were shown. One that is decided already keeps its outcome.
   * @throws PatchbayError NOT_THE_OWNER, APPROVAL_NOT_FOUND
   */
  async review(
    agentId: string,
    pluginKey: string,
    input: ChannelReview,
  ): Promise<{ outcome: ChannelApprovalOutcome }> {
    const { request, decision, userId, role } = input;
    if (role !== "owner") {
      throw new PatchbayError(
        "NOT_THE_OWNER",
        `${userId} is not among the owners that the settings of ${pluginKey} name.`,
      );
    }
    const approval = this.find(agentId, ({ id, shortId }) => id === request || shortId === request);
    if (!approval) throw new PatchbayError("APPROVAL_NOT_FOUND", `There is no question ${request}.`);
    if (approval.owner === pluginKey) {
      throw new PatchbayError("NOT_THE_OWNER", "A plugin cannot pass on the decision about its own calls.");
    }
    if (approval.status !== "waiting") return { outcome: outcomeOf(approval) };
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

  async #shown(approval: Approval, pluginKey: string): Promise<ChannelApproval> {
    const { id, shortId, title, sessionId, agentId, expiresAt } = approval;
    const text = JSON.stringify(approval.arguments);
    const session = await this.#sessions.open(agentId, sessionId).catch(() => null);
    const source = session?.view.source;
    return {
      requestId: id,
      shortId,
      tool: title,
      arguments: text.length > SHOWN_ARGUMENTS ? `${text.slice(0, SHOWN_ARGUMENTS).toWellFormed()}…` : text,
      sessionId,
      conversation: source?.channel === pluginKey ? (source.conversation ?? null) : null,
      expiresAt,
    };
  }
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
