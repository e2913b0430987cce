import type { ChannelAttachment, ChannelMessage } from "@patchbay/plugin-sdk";
import {
  type Agent,
  PatchbayError,
  type SpeechService,
  toProblem,
  type Voice,
} from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { within } from "../../base/limit.ts";
import { Slots } from "../../base/slots.ts";
import { resolveReferences } from "../../secrets/index.ts";
import type { AuditSink, ChatLanguages, SecretLookup } from "../ports.ts";
import { minutesText, oggSecondsOf, soundKindOf } from "./sound.ts";
import {
  type Sound,
  SPEAK_MS,
  type Speaker,
  type SpeechFormat,
  synthesize,
  transcribe,
} from "./speech-service.ts";
import { speechTextOf } from "./speech-text.ts";
import { VoiceTrouble } from "./trouble.ts";
import { sorryWords } from "./words.ts";

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
  /** In which whoever spoke is told what could not be heard; English, when absent. */
  languages?: Pick<ChatLanguages, "of"> | undefined;
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

/**
 * What agents hear and say, by the services that the person set for each. What was sent to them, and what failed, is in
 * the audit.
 */
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
    const language = this.#options.languages?.of(agent.id) ?? "en";
    const lines: string[] = [];
    const reasons = new Set<string>();
    for (const [index, note] of notes.entries()) {
      const bytes = Buffer.from(note.data, "base64");
      const seconds = oggSecondsOf(bytes) ?? note.voice?.seconds;
      const name = seconds === undefined ? "Voice note" : `Voice note, ${minutesText(seconds)}`;
      try {
        if (index >= MOST_NOTES) throw new VoiceTrouble("tooMany", { n: MOST_NOTES });
        if (seconds !== undefined && seconds > listen.maxMinutes * 60)
          throw new VoiceTrouble("tooLong", { n: listen.maxMinutes });
        const sound = { bytes, name: note.name, mimeType: note.mimeType };
        lines.push(`[${name}] ${await this.#listen(agent, listen, sound, place)}`);
      } catch (error) {
        const trouble = this.#note(agent, "listen", error, place);
        reasons.add(trouble.words(language));
        lines.push(`[${name}, which could not be heard: ${trouble.words("en")}]`);
      }
    }
    return {
      text: [message.text, ...lines].filter((line) => line !== "").join("\n"),
      sorry: reasons.size === 0 ? "" : sorryWords(language, reasons),
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
    const { clock } = this.#options;
    const late = () => new VoiceTrouble("late");
    try {
      // With all that waits before it: a text must not wait for the voices of others.
      return await within({ ms: SPEAK_MS, clock, signal: place.signal, late }, ({ signal }) =>
        this.#say(agent, speak, { text, format: "opus" }, { ...place, signal }),
      );
    } catch (error) {
      this.#note(agent, "speak", error, place);
      return null;
    }
  }

  /** The service that the person has set for it. @throws PatchbayError VOICE_UNAVAILABLE */
  check<What extends keyof Voice>({ name, voice }: Agent, what: What): NonNullable<Voice[What]> {
    const service = voice?.[what];
    if (service) return service;
    const nothing = {
      listen: `Nothing listens to the voice notes of ${name} yet.`,
      speak: `Nothing speaks the answers of ${name} yet.`,
    };
    throw new PatchbayError("VOICE_UNAVAILABLE", nothing[what]);
  }

  /** What a recording says, for channels that ask for it themselves. @throws PatchbayError VOICE_UNAVAILABLE, VOICE_FAILED */
  async transcribe(agent: Agent, sound: Sound, place: VoicePlace): Promise<string> {
    const listen = this.check(agent, "listen");
    try {
      return await this.#listen(agent, listen, sound, place);
    } catch (error) {
      throw this.#note(agent, "listen", error, place);
    }
  }

  /**
   * A text as sound, for channels that ask for it themselves.
   * @throws PatchbayError VOICE_UNAVAILABLE, VOICE_FAILED, BAD_INPUT when nothing of it can be spoken
   */
  async synthesize(
    agent: Agent,
    said: { text: string; format: SpeechFormat },
    place: VoicePlace,
  ): Promise<Sound> {
    const speak = this.check(agent, "speak");
    const text = speechTextOf(said.text);
    if (text === "") throw new PatchbayError("BAD_INPUT", "Nothing of the text can be spoken.");
    try {
      return await this.#say(agent, speak, { ...said, text }, place);
    } catch (error) {
      throw this.#note(agent, "speak", error, place);
    }
  }

  async #listen(agent: Agent, service: SpeechService, sound: Sound, place: VoicePlace): Promise<string> {
    // Only sound leaves this computer, whatever a channel says that it is.
    if (!soundKindOf(sound.bytes)) throw new VoiceTrouble("format");
    const ready = this.#ready(agent, service);
    const { signal } = place;
    const heard = await this.#lanesOf(agent.id).hold(signal, () => {
      this.#noteUse(agent, "listen", service, sound.bytes.length, place);
      return transcribe({ ...ready, signal }, sound);
    });
    const text = heard
      .toWellFormed()
      .replace(/[^\P{Cc}\t\n\r]/gu, "")
      .trim();
    if (text === "") throw new VoiceTrouble("silence");
    return text.length > MOST_HEARD ? `${text.slice(0, MOST_HEARD).toWellFormed()}…` : text;
  }

  #say(
    agent: Agent,
    service: Speaker,
    said: { text: string; format: SpeechFormat },
    place: VoicePlace,
  ): Promise<Sound> {
    const { signal } = place;
    return this.#lanesOf(agent.id).hold(signal, () => {
      const ready = this.#ready(agent, service);
      this.#noteUse(agent, "speak", service, Buffer.byteLength(said.text), place);
      return synthesize({ ...ready, service, signal }, said);
    });
  }

  #lanesOf(agentId: string): Slots {
    const lanes = this.#lanes.get(agentId) ?? new Slots(AT_ONCE);
    this.#lanes.set(agentId, lanes);
    return lanes;
  }

  /** @throws VoiceTrouble */
  #ready(agent: Agent, service: SpeechService) {
    const { secrets, clock, ownPorts } = this.#options;
    const { hostname, port } = new URL(service.baseUrl);
    const isHere = /^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$/.test(hostname);
    if (isHere && ownPorts?.().includes(Number(port))) throw new VoiceTrouble("itself");
    const { config, missing } = resolveReferences(service.apiKey ?? "", (name) =>
      secrets.resolve(name, agent.id),
    );
    if (missing.length > 0) throw new VoiceTrouble("keyless", { details: { missing } });
    return { service, key: config === "" ? undefined : config, clock };
  }

  /** Puts into the audit what goes where: `bytes` of a recording, or of a text that is to be spoken. */
  #noteUse(
    agent: Agent,
    what: "listen" | "speak",
    { baseUrl }: SpeechService,
    bytes: number,
    { channel }: VoicePlace,
  ): void {
    const { host } = new URL(baseUrl);
    this.#options.audit.record({
      kind: "agent.voice_used",
      agentId: agent.id,
      pluginKey: channel,
      what,
      host,
      bytes,
    });
  }

  /**
   * Puts a failure into the audit, and returns it without what the service said: that is not for channels.
   * @throws what stopped the work
   */
  #note(
    agent: Agent,
    what: "listen" | "speak",
    error: unknown,
    { channel, signal }: VoicePlace,
  ): VoiceTrouble {
    signal.throwIfAborted();
    const trouble = error instanceof VoiceTrouble ? error : new VoiceTrouble("failed");
    const details = this.#options.secrets.redact(JSON.stringify(toProblem(error).details ?? {}));
    const { message } = trouble;
    this.#options.audit.record({
      kind: "agent.voice_failed",
      agentId: agent.id,
      pluginKey: channel,
      what,
      message,
      details,
    });
    return trouble.bare();
  }
}

/** Whether a channel says that somebody spoke it. */
function isVoiceNote({ voice, mimeType }: ChannelAttachment): boolean {
  return voice !== undefined && /^(?:audio|video)\//i.test(mimeType);
}
