import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { mostAttachmentBytes, PatchbayError } from "../../../contract/index.ts";
import type { VoicePlace } from "../../agents/voice/voice.ts";
import { sendJson } from "../answer.ts";
import { nothingAt } from "./address.ts";
import { parseJson, readBytes } from "./body.ts";
import type { ChannelIdentity } from "./channel-tokens.ts";
import type { AgentApiTarget } from "./ports.ts";

const sttBody = z.looseObject({ bytes: z.base64(), mimeType: z.string().max(256) });
const ttsBody = z.looseObject({
  text: z.string().min(1).max(100_000),
  outputMimeType: z.string().max(256).optional(),
});
/** The largest recording in base64, and 4 KiB for the JSON around it. */
const mostRecording = Math.ceil((mostAttachmentBytes * 4) / 3) + 4 * 1024;
const mostText = 1024 * 1024;
/** Recordings and answers of one channel that are under way at once, with what waits for the service. */
const MOST_OPEN = 8;
/** Who did it, as packages of OpenHermit show it. */
const provider = "patchbay";

/** One call of a channel. */
interface VoiceCall {
  channel: ChannelIdentity;
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
}

/**
 * `POST /voice/stt` with `{bytes, mimeType}`, which answers `{text, provider}`, and `POST /voice/tts` with
 * `{text, outputMimeType?}`, which answers `{bytes, mimeType, provider}`. Bytes are in base64. Both go to the services
 * that the person set for the channel's own agent; where, with which key, model and voice, is not the channel's to say.
 */
export class VoiceApi {
  readonly #target: AgentApiTarget;
  readonly #closing: AbortSignal;
  readonly #open = new Map<string, number>();

  /** Aborting `closing` gives up what is under way. */
  constructor(target: AgentApiTarget, closing: AbortSignal) {
    this.#target = target;
    this.#closing = closing;
  }

  /** @throws PatchbayError VOICE_UNAVAILABLE, VOICE_FAILED, BAD_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED */
  async serve(call: VoiceCall, what: string | undefined): Promise<void> {
    const { channel, request, url } = call;
    if (request.method !== "POST" || (what !== "stt" && what !== "tts")) throw nothingAt(request, url);
    const name = JSON.stringify([channel.agentId, channel.pluginKey]);
    const open = this.#open.get(name) ?? 0;
    if (open >= MOST_OPEN)
      throw new PatchbayError(
        "RATE_LIMITED",
        `${MOST_OPEN} recordings and answers of the channel are under way.`,
      );
    this.#open.set(name, open + 1);
    try {
      await (what === "stt" ? this.#hear(call) : this.#say(call));
    } finally {
      const left = (this.#open.get(name) ?? 1) - 1;
      if (left > 0) this.#open.set(name, left);
      else this.#open.delete(name);
    }
  }

  async #hear(call: VoiceCall): Promise<void> {
    const { channel, request, response } = call;
    const { desk } = this.#target;
    const body = await readBytes(request, mostRecording);
    desk.checkVoice(channel.agentId, "listen");
    const { bytes, mimeType } = parseJson(body, request, sttBody);
    const recording = Buffer.from(bytes, "base64");
    if (recording.length > mostAttachmentBytes)
      throw new PatchbayError("PAYLOAD_TOO_LARGE", "The recording is larger than 25 MiB.");
    const sound = { bytes: recording, name: "voice", mimeType };
    const text = await desk.transcribe(channel.agentId, sound, this.#placeOf(call));
    sendJson(response, 200, { text, provider });
  }

  async #say(call: VoiceCall): Promise<void> {
    const { channel, request, response } = call;
    const { desk } = this.#target;
    const body = await readBytes(request, mostText);
    desk.checkVoice(channel.agentId, "speak");
    const { text, outputMimeType } = parseJson(body, request, ttsBody);
    const said = { text, format: formatOf(outputMimeType) };
    const { bytes, mimeType } = await desk.synthesize(channel.agentId, said, this.#placeOf(call));
    sendJson(response, 200, { bytes: bytes.toString("base64"), mimeType, provider });
  }

  /** Stopped when whoever asked is gone. */
  #placeOf({ channel, response }: VoiceCall): VoicePlace {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    return { channel: channel.pluginKey, signal: AbortSignal.any([gone.signal, this.#closing]) };
  }
}

function formatOf(mimeType: string | undefined): "opus" | "mp3" | "wav" {
  if (mimeType === "audio/mpeg" || mimeType === "audio/mp3") return "mp3";
  return mimeType === "audio/wav" || mimeType === "audio/x-wav" ? "wav" : "opus";
}
