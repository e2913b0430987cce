import type { ChannelAgent, ChannelApproval, ChannelApprovalOutcome } from "../channel-agent.ts";
import type { Access } from "./access.ts";
import { askingText, decisionOf } from "./approval-text.ts";
import type { Journal } from "./journal.ts";
import type { Outbox } from "./outbox.ts";
import { pieceId } from "./piece-id.ts";
import type { ChannelTransport } from "./transport.ts";
import type { Words } from "./words/words.ts";

export interface ApprovalsParts {
  agent: ChannelAgent;
  access: Access;
  journal: Journal;
  outbox: Outbox;
  transport: ChannelTransport;
  words: Words;
  onError(error: unknown): void;
}

interface Place {
  conversation: string;
  owner: string;
  messageId: string | null;
  outboxId: string;
  /** Resolves when the message was sent, or will never be. */
  delivered: Promise<void>;
}

interface Asked {
  approval: ChannelApproval;
  /** The conversations in which the owner was asked, each with the platform's id of the message once it is known. */
  places: Place[];
  /**
   * The conversation in which the owner typed the decision. The answer there says the outcome, so no second message is
   * sent to it.
   */
  answeredIn?: string;
}

/** Asks owners to allow tool calls, and passes their decisions to the agent. */
export class Approvals {
  readonly #parts: ApprovalsParts;
  readonly #asked = new Map<string, Asked>();
  #end: (() => void) | undefined;

  constructor(parts: ApprovalsParts) {
    this.#parts = parts;
  }

  start(): void {
    const { agent, transport, onError } = this.#parts;
    const { approval: characters } = transport.limits;
    this.#end = agent.followApprovals?.(
      {
        asked: (approval) => void this.#ask(approval).catch((error) => onError(error)),
        settled: (requestId, outcome) =>
          void this.#settle(requestId, outcome).catch((error) => onError(error)),
      },
      characters === undefined ? {} : { characters },
    );
  }

  stop(): void {
    this.#end?.();
  }

  /**
   * Handles a pressed button or a typed command.
   *
   * @returns the sentence for the person, or null when the text is no decision
   */
  async decide(text: string, by: { ids: readonly string[]; conversation: string }): Promise<string | null> {
    const decided = decisionOf(text);
    if (!decided) return null;
    const { agent, access, words } = this.#parts;
    const { plain, ...decision } = decided;
    const asked = [...this.#asked.values()].find(
      ({ approval }) => approval.shortId === decided.request || approval.requestId === decided.request,
    );
    const owner = access.isOwner(by.ids);
    // "yes 7" is said in many conversations: only an owner who was asked that decides with it.
    if (plain && !(asked && owner)) return null;
    if (!owner) return access.owners.length > 0 ? words.now.onlyOwnerDecides : words.now.noOwner;
    if (!agent.review) return words.now.decidedInPatchbay;
    if (asked) asked.answeredIn = by.conversation;
    try {
      const userId = access.ownerAmong(by.ids) ?? "";
      const { outcome } = await agent.review({ ...decision, userId, role: "owner" });
      return words.now.settled(asked?.approval.tool, decided.request, outcome);
    } catch (error) {
      if (asked) delete asked.answeredIn;
      return words.reasonOf(error);
    }
  }

  async #ask(approval: ChannelApproval): Promise<void> {
    if (this.#asked.has(approval.requestId)) return;
    const asked: Asked = { approval, places: [] };
    this.#asked.set(approval.requestId, asked);
    const buttons = this.#parts.transport.limits.buttons === true;
    for (const [conversation, owner] of await this.#ownerConversations()) {
      // The id is made from the request, so that it is the same after a restart: the new process then finds its message
      // in the outbox, or knows that it was sent.
      const id = `approval-${pieceId(`${approval.requestId}\n${conversation}`, 0)}`;
      asked.places.push({ conversation, owner, messageId: null, outboxId: id, delivered: Promise.resolve() });
      this.#send(asked, id, conversation, askingText(approval, buttons, this.#parts.words.now));
    }
  }

  #send(asked: Asked, id: string, conversation: string, text: string): void {
    const { journal, outbox } = this.#parts;
    if (journal.outbox.has(id) || journal.isKnown(id) || !journal.hasOutboxRoom(text)) return;
    journal.remember(id);
    const { requestId, shortId, whole } = asked.approval;
    const delivery = outbox.delivered(id);
    outbox.put(
      {
        id,
        conversation,
        text,
        sent: [],
        ...(whole !== false && this.#parts.transport.limits.buttons && { approval: { requestId, shortId } }),
      },
      { text, files: [] },
    );
    const place = asked.places.find(({ outboxId }) => outboxId === id);
    const delivered = delivery.then(
      ({ messageIds }) => {
        if (place) place.messageId = messageIds.at(-1) ?? null;
      },
      (error) => this.#parts.onError(error),
    );
    if (place) place.delivered = delivered;
  }

  async #settle(requestId: string, outcome: ChannelApprovalOutcome): Promise<void> {
    const asked = this.#asked.get(requestId);
    if (!asked) return;
    this.#asked.delete(requestId);
    const text = this.#outcomeOf(asked, outcome);
    for (const place of asked.places) await this.#close(place, text, asked.answeredIn);
  }

  /** Takes back what was asked of people who are no owners any more. */
  async withdraw(): Promise<void> {
    for (const asked of this.#asked.values()) {
      const gone = asked.places.filter(({ owner }) => this.#parts.access.ownerNamed(owner) === null);
      asked.places = asked.places.filter((place) => !gone.includes(place));
      for (const place of gone) await this.#close(place, this.#outcomeOf(asked, "cancelled"));
    }
  }

  #outcomeOf({ approval: { tool, shortId } }: Asked, outcome: ChannelApprovalOutcome): string {
    return this.#parts.words.now.settled(tool, shortId, outcome);
  }

  /** Says in one conversation how it ended. `answeredIn`: where that was said already. */
  async #close(place: Place, text: string, answeredIn?: string): Promise<void> {
    const { journal, outbox, transport } = this.#parts;
    const { conversation, outboxId } = place;
    const waiting = journal.outbox.get(outboxId);
    if (waiting && outbox.drop(waiting)) return;
    // The message may be on its way at this moment: it can be edited only after it was delivered.
    await place.delivered;
    const { messageId } = place;
    if (messageId !== null && transport.edit) {
      const id = pieceId(outboxId, 1);
      await transport.edit(conversation, messageId, { text, id, again: false, draft: false, buttons: [] });
    } else if (answeredIn !== conversation && journal.hasOutboxRoom(text)) {
      outbox.put({ id: `${outboxId}-end`, conversation, text, sent: [] }, { text, files: [] });
    }
  }

  /** The owners by the direct conversation with each, known from an earlier message or asked from the platform. */
  async #ownerConversations(): Promise<Map<string, string>> {
    const { access, journal, transport } = this.#parts;
    const found = new Map<string, string>();
    for (const owner of access.owners) {
      const conversation =
        journal.ownerConversation(owner) ?? (await transport.directConversation?.(owner).catch(() => null));
      if (conversation) found.set(conversation, owner);
    }
    return found;
  }
}
