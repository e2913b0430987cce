import { PatchbayError, type SpeechService, type Voice } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { within } from "../../base/limit.ts";
import { soundKindOf } from "./sound.ts";

/** Milliseconds that listening to one recording may take. */
export const LISTEN_MS = 60_000;
/** Milliseconds for which an answer waits for its voice; after them it goes out as text alone. */
const SPEAK_MS = 30_000;
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

export interface Sound {
  bytes: Buffer;
  name: string;
  mimeType: string;
}

/**
 * What is said in a recording, by `POST {base}/audio/transcriptions`.
 * @throws PatchbayError VOICE_FAILED with a sentence that fits for whoever spoke: no address, no key
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
  if (typeof text !== "string") throw failed("did not answer as expected");
  return text;
}

/**
 * A text as sound, by `POST {base}/audio/speech`. Opus in Ogg is asked for; services that know other formats alone may
 * answer in one of those.
 * @throws PatchbayError VOICE_FAILED
 */
export async function synthesize(
  ready: ReadyService & { service: NonNullable<Voice["speak"]> },
  text: string,
): Promise<Sound> {
  const { model, voice } = ready.service;
  const body = JSON.stringify({ model, input: text, voice, response_format: "opus" });
  const headers = { "content-type": "application/json" };
  const { bytes } = await ask(ready, "audio/speech", { body, headers }, { most: MOST_SOUND, ms: SPEAK_MS });
  const kind = soundKindOf(bytes);
  if (!kind) throw failed("answered with something that is no sound");
  return { bytes, name: `answer.${kind.ending}`, mimeType: kind.mimeType };
}

/** Why a service could not be used, in words that follow "the speech service". */
export function failed(why: string, details: Record<string, unknown> = {}): PatchbayError {
  return new PatchbayError("VOICE_FAILED", `The speech service ${why}.`, { details });
}

async function ask(
  { service, key, clock, signal }: ReadyService,
  path: string,
  { body, headers = {} }: { body: FormData | string; headers?: Record<string, string> },
  { most, ms }: { most: number; ms: number },
): Promise<{ bytes: Buffer }> {
  const address = `${service.baseUrl.replace(/\/+$/, "")}/${path}`;
  const late = () => failed("took too long");
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
      throw failed("did not answer", { cause: causeOf(error) });
    }
    if (!response.ok) throw await refusalOf(response);
    return { bytes: await readAtMost(response, most) };
  });
}

async function refusalOf(response: Response): Promise<PatchbayError> {
  const { status } = response;
  const answer = await readAtMost(response, MOST_TEXT).catch(() => Buffer.alloc(0));
  const details = { status, answer: answer.toString("utf8").slice(0, 1_000).toWellFormed() };
  if (status === 401 || status === 403) return failed("refused its key", details);
  if (status === 404) return failed("is not at its address, or does not know its model", details);
  if (status === 413) return failed("does not take recordings of this size", details);
  if (status === 429) return failed("is asked too often at the moment", details);
  if (status >= 500) return failed(`has a problem of its own (${status})`, details);
  if (status >= 300 && status < 400) return failed("sends Patchbay to another address", details);
  return failed(`refused the request (${status})`, details);
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
    throw failed("broke off its answer", { cause: causeOf(error) });
  }
  if (length > most) throw failed("answered with too much");
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
