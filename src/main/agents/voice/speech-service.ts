import type { SpeechService } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { within } from "../../base/limit.ts";
import { soundKindOf } from "./sound.ts";
import { VoiceTrouble } from "./trouble.ts";
import type { Trouble } from "./words.ts";

/** Milliseconds that listening to one recording may take. */
export const LISTEN_MS = 60_000;
/** Milliseconds for which an answer waits for its voice, its turn included; after them it goes out as text alone. */
export const SPEAK_MS = 30_000;
/** Largest answers that are read, in bytes. */
const MOST_TEXT = 1024 * 1024;
const MOST_SOUND = 10 * 1024 * 1024;

/** A service with its key, ready to be asked. */
export interface ReadyService {
  service: SpeechService;
  key: string | undefined;
  clock: Clock;
  signal: AbortSignal;
}

/** What is asked for: Opus in Ogg, which voice notes are made of, or another format. */
export type SpeechFormat = "opus" | "mp3" | "wav";

/** A service that speaks, with the name that it gives the voice. */
export type Speaker = SpeechService & { voice: string };

export interface Sound {
  bytes: Buffer;
  name: string;
  mimeType: string;
}

/**
 * What is said in a recording, by `POST {base}/audio/transcriptions`.
 * @throws VoiceTrouble
 */
export async function transcribe(ready: ReadyService, { bytes, name, mimeType }: Sound): Promise<string> {
  const form = new FormData();
  const kind = soundKindOf(bytes);
  const file = new Blob([new Uint8Array(bytes)], { type: kind?.mimeType ?? mimeType });
  form.set("model", ready.service.model);
  form.set("response_format", "json");
  form.set("file", file, kind ? `voice.${kind.ending}` : name);
  const answer = await ask(ready, "audio/transcriptions", { body: form }, { most: MOST_TEXT, ms: LISTEN_MS });
  const { text } = readJson(answer.bytes);
  if (typeof text !== "string") throw new VoiceTrouble("odd");
  return text;
}

/**
 * A text as sound, by `POST {base}/audio/speech`. Services that do not know the format may answer in another one.
 * @throws VoiceTrouble
 */
export async function synthesize(
  ready: ReadyService & { service: Speaker },
  { text, format }: { text: string; format: SpeechFormat },
): Promise<Sound> {
  const { model, voice } = ready.service;
  const body = JSON.stringify({ model, input: text, voice, response_format: format });
  const headers = { "content-type": "application/json" };
  const { bytes } = await ask(ready, "audio/speech", { body, headers }, { most: MOST_SOUND, ms: SPEAK_MS });
  const kind = soundKindOf(bytes);
  if (!kind) throw new VoiceTrouble("noSound");
  return { bytes, name: `answer.${kind.ending}`, mimeType: kind.mimeType };
}

async function ask(
  { service, key, clock, signal }: ReadyService,
  path: string,
  { body, headers = {} }: { body: FormData | string; headers?: Record<string, string> },
  { most, ms }: { most: number; ms: number },
): Promise<{ bytes: Buffer }> {
  const address = `${service.baseUrl.replace(/\/+$/, "")}/${path}`;
  const late = () => new VoiceTrouble("late");
  return within({ ms, clock, signal, late }, async (abort) => {
    let response: Response;
    try {
      response = await fetch(address, {
        method: "POST",
        // The key goes to the address that the person set, and nowhere else.
        redirect: "manual",
        headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
        body,
        signal: abort.signal,
      });
    } catch (error) {
      throw new VoiceTrouble("unanswered", { details: { cause: causeOf(error) } });
    }
    if (!response.ok) throw await refusalOf(response);
    return { bytes: await readAtMost(response, most) };
  });
}

async function refusalOf(response: Response): Promise<VoiceTrouble> {
  const { status } = response;
  const answer = await readAtMost(response, MOST_TEXT).catch(() => Buffer.alloc(0));
  const details = { status, answer: answer.toString("utf8").slice(0, 1_000).toWellFormed() };
  return new VoiceTrouble(troubleOf(status), { n: status, details });
}

function troubleOf(status: number): Trouble {
  if (status === 401 || status === 403) return "refusedKey";
  if (status === 404) return "unknownPlace";
  if (status === 413) return "tooLarge";
  if (status === 429) return "tooOften";
  if (status >= 500) return "broken";
  return status >= 300 && status < 400 ? "elsewhere" : "refused";
}

async function readAtMost(response: Response, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of response.body ?? []) {
      length += part.length;
      // Leaving the loop cancels the stream.
      if (length > most) break;
      parts.push(part);
    }
  } catch (error) {
    throw new VoiceTrouble("brokenOff", { details: { cause: causeOf(error) } });
  }
  if (length > most) throw new VoiceTrouble("tooMuch");
  return Buffer.concat(parts);
}

function readJson(bytes: Buffer): { text?: unknown } {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function causeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  if (cause instanceof Error && "code" in cause) return String(cause.code);
  return error instanceof Error ? error.message : String(error);
}
