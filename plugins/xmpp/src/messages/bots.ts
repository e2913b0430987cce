import { randomUUID } from "node:crypto";
import { type ChannelClock, within } from "@patchbay/plugin-sdk/channel";
import { type Element, xml } from "@xmpp/client";
import { NS } from "../namespaces.ts";

/** How long a message waits until its sender's program has said what it is, in milliseconds. */
const ANSWER_MS = 2_000;
/** After this long it is not waited for any more. */
const NO_ANSWER_MS = 10_000;
/** Most programs that are remembered. */
const MOST = 1_000;

/**
 * Which programs are bots: each says so when it is asked (XEP-0030, the identity `client/bot`). Asked are only those that
 * write to the agent, once.
 */
export class Bots {
  readonly #hint: (stanza: Element) => void;
  readonly #clock: ChannelClock;
  readonly #answers = new Map<string, Promise<boolean>>();
  /** Questions without an answer, by their id. */
  readonly #open = new Map<string, { to: string; answer(isBot: boolean): void }>();

  constructor(hint: (stanza: Element) => void, clock: ChannelClock) {
    this.#hint = hint;
    this.#clock = clock;
  }

  /**
   * Who says nothing in time counts as a person for now.
   *
   * @param address of the program itself, or its name in a room
   * @param who stands behind a name in a room, which may be another one later
   */
  async isBot(address: string, who: string): Promise<boolean> {
    const key = `${address}\n${who}`;
    const answer = this.#answers.get(key) ?? this.#ask(key, address);
    return within(this.#clock, ANSWER_MS, answer, () => new Error("late")).catch(() => false);
  }

  /**
   * An element came in. Answers are taken here and not where others are: those may be held back behind a message that is not
   * stored yet, and it may be waiting for one of these.
   */
  seen(element: Element): void {
    const { id = "", type, from } = element.attrs;
    const question = this.#open.get(id);
    if (element.name !== "iq" || !question || question.to !== from) return;
    if (type === "error") question.answer(false);
    if (type !== "result") return;
    const identities = element.getChild("query", NS.discoInfo)?.getChildren("identity") ?? [];
    question.answer(identities.some(({ attrs }) => attrs.category === "client" && attrs.type === "bot"));
  }

  #ask(key: string, to: string): Promise<boolean> {
    const id = `what-${randomUUID()}`;
    const asked = new Promise<boolean>((resolve) => {
      const callOff = this.#clock.limit(NO_ANSWER_MS, () => this.#open.get(id)?.answer(false));
      const answer = (isBot: boolean) => {
        callOff();
        this.#open.delete(id);
        resolve(isBot);
      };
      this.#open.set(id, { to, answer });
    });
    this.#hint(xml("iq", { type: "get", to, id }, xml("query", { xmlns: NS.discoInfo })));
    this.#answers.set(key, asked);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
    return asked;
  }

  /** Nobody is waited for any more. */
  stop(): void {
    for (const { answer } of this.#open.values()) answer(false);
  }
}

/** What the agent's program says that it is, to whoever asks. */
export function selfPortrait(query: Element): Element {
  const { node } = query.attrs;
  return xml(
    "query",
    { xmlns: NS.discoInfo, ...(node !== undefined && { node }) },
    xml("identity", { category: "client", type: "bot", name: "Patchbay" }),
    features.map((feature) => xml("feature", { var: feature })),
  );
}

const features = [
  NS.discoInfo,
  NS.muc,
  NS.ping,
  NS.receipts,
  NS.chatStates,
  NS.correction,
  NS.reactions,
  NS.oob,
  NS.invitation,
  NS.occupantId,
];
