import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import {
  type Approval,
  type ApprovalDecision,
  type Caller,
  type EditedByPerson,
  type OwnOverPlugin,
  PatchbayError,
  type RuleOrigin,
} from "../../contract/index.ts";
import { type Clock, isoTime } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import { withoutPrivate } from "../base/private-names.ts";
import { SessionGrants } from "./policies/session-grants.ts";
import type { LimitSource, SecretLookup } from "./ports.ts";
import { redactDeep } from "./redact.ts";

export interface ApprovalQuestion {
  agentId: string;
  sessionId: string;
  turnId: string | null;
  toolCallId: string;
  tool: string;
  title: string;
  owner: string | null;
  does: string;
  ours?: OwnOverPlugin;
  arguments: Record<string, unknown>;
  changedBy: string[];
  editedByPerson?: EditedByPerson;
  caller: Caller;
}

interface Waiting {
  approval: Approval;
  settle(status: Approval["status"], change: Partial<Approval>): void;
}

/** How many decided questions are kept at hand; the history on disk has all. */
const HISTORY = 200;

/**
 * The calls that wait for the person. Each is decided once. A call without an answer within `limits.approvalMs`
 * milliseconds is refused; when its turn is aborted, it is cancelled. Waiting calls do not survive a restart.
 */
export class Approvals {
  readonly changes = new EventEmitter<{ approval: [Approval] }>();
  private readonly waiting = new Map<string, Waiting>();
  private readonly history: Approval[] = [];
  readonly sessionGrants = new SessionGrants();
  private readonly settings: LimitSource;
  private readonly secrets: SecretLookup;
  private readonly clock: Clock;
  private readonly ids: Ids;
  private readonly allowAlways: (approval: Approval, origin: RuleOrigin) => Promise<void>;
  private readonly onDecided: (approval: Approval) => void;

  constructor(options: {
    settings: LimitSource;
    secrets: SecretLookup;
    clock: Clock;
    ids: Ids;
    /** Stores a rule that allows the tool from now on. */
    allowAlways(approval: Approval, origin: RuleOrigin): Promise<void>;
    /** Keeps a decided question for good. */
    onDecided(approval: Approval): void;
  }) {
    this.settings = options.settings;
    this.secrets = options.secrets;
    this.clock = options.clock;
    this.ids = options.ids;
    this.allowAlways = options.allowAlways;
    this.onDecided = options.onDecided;
  }

  /** Waiting ones first, oldest first; then the history, newest first. */
  list(): Approval[] {
    return [...[...this.waiting.values()].map((one) => one.approval), ...this.history.toReversed()];
  }

  grantedForSession(agentId: string, sessionId: string, tool: string, caller: Caller): boolean {
    return this.sessionGrants.has(agentId, sessionId, tool, caller);
  }

  /** Asks, and resolves with the decided approval. Never rejects. */
  request(
    question: ApprovalQuestion,
    signal: AbortSignal,
    onAsked?: (approval: Approval) => void,
  ): Promise<Approval> {
    const now = this.clock.now();
    const limit = this.settings.get().limits.approvalMs;
    const approval: Approval = {
      id: this.ids.next(),
      ...question,
      arguments: this.clean(question.arguments),
      ...(question.editedByPerson && {
        editedByPerson: { before: this.clean(question.editedByPerson.before) },
      }),
      shortId: this.freeShortId(),
      decidedBy: null,
      status: "waiting",
      scope: null,
      reason: null,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + limit).toISOString(),
      decidedAt: null,
    };
    return new Promise((resolve) => {
      const onAbort = () =>
        this.waiting.get(approval.id)?.settle("cancelled", { reason: "the turn was stopped" });
      const cancel = this.clock.after(limit, () => {
        const reason = `nobody answered within ${Math.round(limit / 1000)} s`;
        this.waiting.get(approval.id)?.settle("timed_out", { reason });
      });
      const settle: Waiting["settle"] = (status, change) => {
        cancel();
        signal.removeEventListener("abort", onAbort);
        this.waiting.delete(approval.id);
        resolve(this.decided({ ...approval, ...change, status }));
      };
      this.waiting.set(approval.id, { approval, settle });
      signal.addEventListener("abort", onAbort, { once: true });
      onAsked?.(approval);
      this.changes.emit("approval", approval);
      if (signal.aborted) onAbort();
    });
  }

  /**
   * Takes the person's answer; `by` is who gave it, `from` where. With "always", the policy rule is stored before the call runs.
   * @throws PatchbayError APPROVAL_NOT_FOUND when it was decided already or never existed; DISK_FULL, WRITE_FAILED
   */
  async decide(
    id: string,
    answer: ApprovalDecision,
    by: Caller = { kind: "owner" },
    from: RuleOrigin["from"] = "screen",
  ): Promise<Approval> {
    const { approval } = this.question(id);
    if (answer.decision === "deny") {
      this.question(id).settle("denied", { reason: answer.reason ?? null, decidedBy: by });
    } else {
      if (answer.scope === "always")
        await this.allowAlways(approval, { at: isoTime(this.clock), from, answered: true });
      // While the rule was written, the time limit may have decided the call.
      const one = this.question(id);
      if (answer.scope !== "once") this.sessionGrants.add(approval, isoTime(this.clock));
      one.settle("allowed", { scope: answer.scope, decidedBy: by });
    }
    return this.history.at(-1) ?? approval;
  }

  /** Arguments without anything that is not to be shown. */
  private clean(args: Record<string, unknown>): Record<string, unknown> {
    return withoutPrivate(redactDeep(args, this.secrets));
  }

  private question(id: string): Waiting {
    const one = this.waiting.get(id);
    if (one) return one;
    const before = this.history.find((approval) => approval.id === id);
    throw new PatchbayError(
      "APPROVAL_NOT_FOUND",
      before ? `That question was decided already: ${words[before.status]}.` : "There is no such question.",
    );
  }

  endSession(agentId: string, sessionId: string): void {
    this.sessionGrants.end(agentId, sessionId);
  }

  /** Cancels everything that waits. */
  close(): void {
    for (const one of [...this.waiting.values()]) one.settle("cancelled", { reason: "Patchbay closed" });
  }

  /** A random number that no recent call had: a number that somebody types late must not decide another call. */
  private freeShortId(): string {
    const used = new Set(this.list().map((approval) => approval.shortId));
    let shortId: string;
    do shortId = numberFrom(this.ids.next());
    while (used.has(shortId));
    return shortId;
  }

  private decided(approval: Approval): Approval {
    const reason = approval.reason && this.secrets.redact(approval.reason);
    const final = { ...approval, reason, decidedAt: isoTime(this.clock) };
    this.onDecided(final);
    this.history.push(final);
    if (this.history.length > HISTORY) this.history.shift();
    this.changes.emit("approval", final);
    return final;
  }
}

/** Four digits computed from the id, so that they cannot be guessed more easily than it. */
function numberFrom(id: string): string {
  return String(1_000 + (createHash("sha256").update(id).digest().readUInt32BE(0) % 9_000));
}

const words: Record<Approval["status"], string> = {
  waiting: "it still waits",
  allowed: "it was allowed",
  denied: "it was denied",
  timed_out: "nobody answered in time",
  cancelled: "it was cancelled",
};
