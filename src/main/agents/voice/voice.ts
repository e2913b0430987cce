import type { ChannelAttachment, ChannelMessage } from "@patchbay/plugin-sdk";
import { type Agent, PatchbayError, type SpeechService, toProblem } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { Slots } from "../../base/slots.ts";
import { resolveReferences } from "../../secrets/index.ts";
import type { AuditSink, SecretLookup } from "../ports.ts";
import { minutesText, oggSecondsOf } from "./sound.ts";
import { failed, type Sound, synthesize, transcribe } from "./speech-service.ts";
import { speechTextOf } from "./speech-text.ts";

/** Recordings and answers of one agent that its services work on at once; further ones wait. */
const AT_ONCE = 4;
/** Voice notes of one message that are listened to. */
const MOST_NOTES = 5;
/** Characters of a voice note that are kept. */
const MOST_HEARD = 20_000;

export interface VoiceOptions {
  secrets: SecretLookup;
  clock: Clock;
  audit: AuditSink;
  /** Ports of this computer at which Patchbay itself answers. */
  ownPorts?: (() => readonly number[]) | undefined;
}

/** Where a message came in, and what stops the work on it. */
export interface VoicePlace {
  channel: string;
  signal: AbortSignal;
}

export interface Heard {
  /** The text of the message with what its voice notes say. */
  text: string;
  /** One sentence for whoever spoke, when something could not be heard; else empty. */
  sorry: string;
}

/** What agents hear and say, by the services that the person set for each. */
export class VoiceNotes {
  readonly #options: VoiceOptions;
  readonly #lanes = new Map<string, Slots>();

  constructor(options: VoiceOptions) {
    this.#options = options;
  }

  /** Puts what the voice notes of a message say into its text. Without a service they stay files. Rejects only when stopped. */
  async hear(agent: Agent, message: ChannelMessage, place: VoicePlace): Promise<Heard> {
    const notes = (message.attachments ?? []).filter(isVoiceNote);
    const listen = agent.voice?.listen;
    const isCommand = message.text.startsWith("/");
    if (!listen || isCommand || notes.length === 0) return { text: message.text, sorry: "" };
    const lines: string[] = [];
    const reasons = new Set<string>();
    for (const [index, note] of notes.entries()) {
      const bytes = Buffer.from(note.data, "base64");
      const seconds = oggSecondsOf(bytes) ?? note.voice?.seconds;
      const name = seconds === undefined ? "Voice note" : `Voice note, ${minutesText(seconds)}`;
      try {
        if (index >= MOST_NOTES) throw beyond(`Only ${MOST_NOTES} of one message are listened to.`);
        if (seconds !== undefined && seconds > listen.maxMinutes * 60)
          throw beyond(`It is longer than ${listen.maxMinutes} minutes.`);
        const sound = { bytes, name: note.name, mimeType: note.mimeType };
        lines.push(`[${name}] ${await this.#listen(agent, listen, sound, place)}`);
      } catch (error) {
        const why = this.#note(agent, "listen", error, place);
        reasons.add(why);
        lines.push(`[${name}, which could not be heard: ${why}]`);
      }
    }
    return {
      text: [message.text, ...lines].filter((line) => line !== "").join("\n"),
      sorry: reasons.size === 0 ? "" : `I could not listen to your voice note: ${[...reasons].join("; ")}.`,
    };
  }

  /**
   * An answer as sound, where the person wants that for such a message; null: it goes out as text alone. Rejects only
   * when stopped.
   */
  async speak(
    agent: Agent,
    answer: string,
    message: ChannelMessage,
    place: VoicePlace,
  ): Promise<Sound | null> {
    const speak = agent.voice?.speak;
    if (!speak) return null;
    if (speak.when === "voice" && !message.spoken && !message.attachments?.some(isVoiceNote)) return null;
    const text = speechTextOf(answer);
    if (text === "") return null;
    try {
      const { signal } = place;
      return await this.#lanesOf(agent.id).hold(signal, () =>
        synthesize({ ...this.#ready(agent, speak), service: speak, signal }, text),
      );
    } catch (error) {
      this.#note(agent, "speak", error, place);
      return null;
    }
  }

  async #listen(agent: Agent, service: SpeechService, sound: Sound, { signal }: VoicePlace): Promise<string> {
    const heard = await this.#lanesOf(agent.id).hold(signal, () =>
      transcribe({ ...this.#ready(agent, service), signal }, sound),
    );
    const text = heard
      .toWellFormed()
      .replace(/[^\P{Cc}\t\n\r]/gu, "")
      .trim();
    if (text === "") throw failed("understood nothing in it");
    return text.length > MOST_HEARD ? `${text.slice(0, MOST_HEARD).toWellFormed()}…` : text;
  }

  #lanesOf(agentId: string): Slots {
    const lanes = this.#lanes.get(agentId) ?? new Slots(AT_ONCE);
    this.#lanes.set(agentId, lanes);
    return lanes;
  }

  /** @throws PatchbayError VOICE_FAILED */
  #ready(agent: Agent, service: SpeechService) {
    const { secrets, clock, ownPorts } = this.#options;
    const { hostname, port } = new URL(service.baseUrl);
    const isHere = /^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$/.test(hostname);
    if (isHere && ownPorts?.().includes(Number(port))) throw failed("is Patchbay itself");
    const { config, missing } = resolveReferences(service.apiKey ?? "", (name) =>
      secrets.resolve(name, agent.id),
    );
    if (missing.length > 0) throw failed("has no key in the vault", { missing });
    return { service, key: config === "" ? undefined : config, clock };
  }

  /** Puts a failure into the audit, and returns why in words that fit for whoever spoke. @throws what stopped the work */
  #note(agent: Agent, what: "listen" | "speak", error: unknown, { channel, signal }: VoicePlace): string {
    signal.throwIfAborted();
    const { message, details } = toProblem(error);
    const reason = this.#options.secrets.redact(JSON.stringify(details ?? {}));
    const text = error instanceof PatchbayError ? message : "The speech service failed.";
    this.#options.audit.record({
      kind: "agent.voice_failed",
      agentId: agent.id,
      pluginKey: channel,
      what,
      message: text,
      details: reason,
    });
    return text.replace(/^[A-Z]/, (letter) => letter.toLowerCase()).replace(/\.$/, "");
  }
}

const beyond = (sentence: string) => new PatchbayError("VOICE_FAILED", sentence);

/** Only sound, whatever a channel says of it. */
function isVoiceNote({ voice, mimeType }: ChannelAttachment): boolean {
  return voice !== undefined && /^(?:audio|video)\//i.test(mimeType);
}
