import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import { MAX_ATTACHMENT } from "../../agents/files/attachments.ts";
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
const mostRecording = Math.ceil((MAX_ATTACHMENT * 4) / 3) + 4 * 1024;
const mostText = 1024 * 1024;
/** Who did it, as packages of OpenHermit show it. */
const provider = "patchbay";

/**
 * `POST /voice/stt` with `{bytes, mimeType}`, which answers `{text, provider}`, and `POST /voice/tts` with
 * `{text, outputMimeType?}`, which answers `{bytes, mimeType, provider}`. Bytes are in base64. Both go to the services
 * that the person set for the channel's own agent; where, with which key, model and voice, is not the channel's to say.
 * @throws PatchbayError VOICE_UNAVAILABLE, VOICE_FAILED, BAD_INPUT, PAYLOAD_TOO_LARGE
 */
export async function serveVoice(
  { desk }: AgentApiTarget,
  { agentId, pluginKey }: ChannelIdentity,
  what: string | undefined,
  {
    request,
    response,
    url,
    closing,
  }: { request: IncomingMessage; response: ServerResponse; url: URL; closing: AbortSignal },
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const place = { channel: pluginKey, signal: AbortSignal.any([gone.signal, closing]) };
  if (request.method === "POST" && what === "stt") {
    const body = await readBytes(request, mostRecording);
    desk.checkVoice(agentId, "listen");
    const { bytes, mimeType } = parseJson(body, request, sttBody);
    const recording = Buffer.from(bytes, "base64");
    if (recording.length > MAX_ATTACHMENT)
      throw new PatchbayError("PAYLOAD_TOO_LARGE", "The recording is larger than 25 MiB.");
    const text = await desk.transcribe(agentId, { bytes: recording, name: "voice", mimeType }, place);
    return sendJson(response, 200, { text, provider });
  }
  if (request.method === "POST" && what === "tts") {
    const body = await readBytes(request, mostText);
    desk.checkVoice(agentId, "speak");
    const { text, outputMimeType } = parseJson(body, request, ttsBody);
    const sound = await desk.synthesize(agentId, { text, format: formatOf(outputMimeType) }, place);
    const { bytes, mimeType } = sound;
    return sendJson(response, 200, { bytes: bytes.toString("base64"), mimeType, provider });
  }
  throw nothingAt(request, url);
}

function formatOf(mimeType: string | undefined): "opus" | "mp3" | "wav" {
  if (mimeType === "audio/mpeg" || mimeType === "audio/mp3") return "mp3";
  return mimeType === "audio/wav" || mimeType === "audio/x-wav" ? "wav" : "opus";
}
