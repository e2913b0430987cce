import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import { judgedFetch } from "../../../platform/walls/network/judged-fetch.ts";
import { publicJudge } from "../../../platform/walls/network/public-judge.ts";
import { smallAnswers } from "../../../platform/walls/network/small-answers.ts";

/** Most bytes of the document. */
const MOST_BYTES = 64 * 1_024;
/** Milliseconds that its place may take to answer. */
const ANSWER_MS = 10_000;

const documentSchema = z.object({
  client_id: z.unknown().optional(),
  redirect_uris: z.array(z.unknown()).catch([]),
  token_endpoint_auth_method: z.unknown().optional(),
});

/**
 * Reads the public document that describes this Patchbay to providers (client ID metadata document), as a provider will, and
 * refuses one that no provider could take: a person would otherwise see nothing but a page of the provider.
 *
 * @param address its address, which the owner of Patchbay set and which is its client id
 * @param path of the redirect address
 * @returns the port that the browser must come back to, where the document names one
 * @throws PatchbayError SETUP_FAILED, naming the field of the document
 */
export async function ownDocument(
  address: string,
  path: string,
  signal: AbortSignal,
): Promise<{ port?: number }> {
  const url = new URL(address);
  const found = documentSchema.safeParse(await read(url, signal));
  if (!found.success) throw faulty(address, "is no JSON object.");
  const { client_id: id, redirect_uris: places, token_endpoint_auth_method: auth } = found.data;
  if (id !== address)
    throw faulty(address, `gives as its "client_id" ${shown(id)}; it must be that address, to the letter.`);
  if (auth !== "none")
    throw faulty(address, `gives as its "token_endpoint_auth_method" ${shown(auth)}; it must be "none".`);
  const own = places.flatMap((place) => {
    const redirect = typeof place === "string" ? URL.parse(place) : null;
    const isOwn =
      redirect?.protocol === "http:" && redirect.hostname === "127.0.0.1" && redirect.pathname === path;
    return isOwn && redirect.search === "" && redirect.hash === "" ? [redirect.port] : [];
  });
  if (own.length === 0)
    throw faulty(address, `does not name "http://127.0.0.1${path}" among its "redirect_uris".`);
  const [port] = own;
  // One without a port stands for any: where the browser comes back to is chosen anew each time.
  return own.includes("") ? {} : { port: Number(port) };
}

async function read(url: URL, signal: AbortSignal): Promise<unknown> {
  // The owner chose the place; nobody else can, and it is not left for another.
  const fetch = smallAnswers(judgedFetch(publicJudge([url])), MOST_BYTES);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  let answer: Response;
  try {
    answer = await fetch(url, { headers: { accept: "application/json" }, signal: limited });
  } catch (cause) {
    signal.throwIfAborted();
    const isLarge = cause instanceof PatchbayError && cause.code === "PAYLOAD_TOO_LARGE";
    throw faulty(
      url.href,
      isLarge ? "is far too large." : "cannot be read: its place does not answer.",
      cause,
    );
  }
  if (answer.status !== 200)
    throw faulty(
      url.href,
      answer.status >= 300 && answer.status < 400
        ? "is elsewhere: its place sends on, which providers do not follow."
        : `cannot be read: its place answers with ${answer.status}.`,
    );
  return answer.json().catch(() => undefined);
}

function faulty(address: string, what: string, cause?: unknown): PatchbayError {
  return new PatchbayError("SETUP_FAILED", `The public description of this Patchbay at ${address} ${what}`, {
    help: "Correct the document, or take its address out of Settings › Sources.",
    ...(cause !== undefined && { cause }),
  });
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200);
}
