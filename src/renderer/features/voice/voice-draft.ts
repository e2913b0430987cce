import type { SpeechService, Voice } from "../../../contract/agent.ts";
import { isSpeechAddress } from "../../../contract/names.ts";

/** A service as the form holds it. Nothing is lost by switching it off and on again. */
export interface ServiceDraft {
  baseUrl: string;
  model: string;
  /** A new key to store, typed now; never filled from what is stored. */
  key: string;
  /** Reference to the stored key: `${NAME}`; empty: none. */
  keyReference: string;
}

export interface VoiceDraft {
  listen: ServiceDraft & { on: boolean; maxMinutes: string };
  speak: ServiceDraft & { when: "never" | "voice" | "always"; voice: string };
}

export type VoicePart = keyof VoiceDraft;
/** A field that needs a value, as `listen.model`. */
export type VoiceField = `${VoicePart}.${"baseUrl" | "model"}` | "listen.maxMinutes" | "speak.voice";

/** The secrets of the agent that hold the keys. */
const secretNames = { listen: "SPEECH_TO_TEXT_KEY", speak: "TEXT_TO_SPEECH_KEY" } as const;

export function voiceDraftOf({ listen, speak }: Voice = { listen: null, speak: null }): VoiceDraft {
  return {
    listen: { ...serviceDraftOf(listen), on: listen !== null, maxMinutes: String(listen?.maxMinutes ?? 10) },
    speak: { ...serviceDraftOf(speak), when: speak?.when ?? "never", voice: speak?.voice ?? "" },
  };
}

/** What is wrong with a field: it is empty, no address of the web, or no number of minutes. */
export type WrongFields = Partial<Record<VoiceField, "needed" | "address" | "minutes">>;

/** What cannot be saved as it is, for the error lines of the fields; what is switched off needs nothing. */
export function wrongVoice({ listen, speak }: VoiceDraft): WrongFields {
  const wrong: WrongFields = {};
  const check = (part: VoicePart, { baseUrl, model }: ServiceDraft) => {
    if (baseUrl.trim() === "") wrong[`${part}.baseUrl`] = "needed";
    else if (!isSpeechAddress(baseUrl.trim())) wrong[`${part}.baseUrl`] = "address";
    if (model.trim() === "") wrong[`${part}.model`] = "needed";
  };
  if (listen.on) {
    check("listen", listen);
    const minutes = Number(listen.maxMinutes);
    if (!(Number.isInteger(minutes) && minutes >= 1 && minutes <= 120))
      wrong["listen.maxMinutes"] = "minutes";
  }
  if (speak.when !== "never") {
    check("speak", speak);
    if (speak.voice.trim() === "") wrong["speak.voice"] = "needed";
  }
  return wrong;
}

/** The draft as settings; the keys are stored apart from them. */
export function voiceOf({ listen, speak }: VoiceDraft): Voice {
  return {
    listen: listen.on ? { ...serviceOf("listen", listen), maxMinutes: Number(listen.maxMinutes) } : null,
    speak:
      speak.when === "never"
        ? null
        : { ...serviceOf("speak", speak), voice: speak.voice.trim(), when: speak.when },
  };
}

/** The keys that were typed, under the names of their secrets. */
export function keysOf(draft: VoiceDraft): { name: string; value: string }[] {
  const { listen, speak } = voiceOf(draft);
  return [
    ...(listen && draft.listen.key ? [{ name: secretNames.listen, value: draft.listen.key }] : []),
    ...(speak && draft.speak.key ? [{ name: secretNames.speak, value: draft.speak.key }] : []),
  ];
}

function serviceDraftOf(service: SpeechService | null): ServiceDraft {
  return {
    baseUrl: service?.baseUrl ?? "",
    model: service?.model ?? "",
    key: "",
    keyReference: service?.apiKey ?? "",
  };
}

function serviceOf(part: VoicePart, { baseUrl, model, key, keyReference }: ServiceDraft): SpeechService {
  const apiKey = key ? `\${${secretNames[part]}}` : keyReference;
  return { baseUrl: baseUrl.trim(), model: model.trim(), ...(apiKey && { apiKey }) };
}
