import type { ChannelAgent, ChannelApproval, ChannelApprovalOutcome } from "@patchbay/plugin-sdk";

type Listener = Parameters<NonNullable<ChannelAgent["followApprovals"]>>[0];

/** Passes the approvals that the app tells about on to the plugin's listeners. */
export class FollowedApprovals {
  readonly #warn: (text: string) => void;
  readonly #waiting = new Map<string, ChannelApproval>();
  readonly #listeners = new Set<Listener>();

  /** @param warn told when a listener throws */
  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  /** Adds a listener and calls it with the approvals that wait already. The returned function removes it. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    for (const approval of this.#waiting.values()) this.#safely(() => listener.asked(approval));
    return () => void this.#listeners.delete(listener);
  }

  asked(approval: ChannelApproval): void {
    this.#waiting.set(approval.requestId, approval);
    for (const listener of this.#listeners) this.#safely(() => listener.asked(approval));
  }

  settled(requestId: string, outcome: ChannelApprovalOutcome): void {
    if (!this.#waiting.delete(requestId)) return;
    for (const listener of this.#listeners) this.#safely(() => listener.settled(requestId, outcome));
  }

  #safely(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#warn(`A listener of approvals failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
