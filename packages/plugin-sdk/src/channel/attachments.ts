import type { ChannelAttachment } from "../channel-agent.ts";
import { type ChannelClock, within } from "./clock.ts";
import { ChannelFailure } from "./failure.ts";
import type { ChannelTransport, InboundFile } from "./transport.ts";

/** Largest file that is accepted from a message, in bytes. */
export const MAX_FILE = 25 * 1024 * 1024;
/** Milliseconds that fetching one file may take. */
const FETCH_MS = 15_000;
const MAX_FILES = 10;

export interface FetchFileOptions {
  /**
   * Hosts (`host` or `host:port`) from which files may be fetched. The list is needed because the sender of the message
   * chose the address.
   */
  hosts: readonly string[];
  /** Sent to these hosts only, redirects included. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Allows http in addition to https, for servers on this machine. */
  allowHttp?: boolean;
}

/**
 * Fetches a file that came with a message: expected hosts only, at most 25 MiB, counted while it streams.
 *
 * @throws ChannelFailure `refused` for another host, a bad status or too many bytes
 */
export async function fetchFile(address: string, options: FetchFileOptions): Promise<Uint8Array> {
  let url = checked(address, options);
  for (let hops = 0; hops < 4; hops += 1) {
    const response = await fetch(url, {
      redirect: "manual",
      headers: options.headers,
      signal: options.signal,
    });
    const target = response.status >= 300 && response.status < 400 && response.headers.get("location");
    if (!target) return readAtMost(response);
    await response.body?.cancel();
    url = checked(new URL(target, url).href, options);
  }
  throw new ChannelFailure("refused", "the address of the file leads in circles");
}

/** Fetches all files of a message. In the place of a file that cannot be fetched the agent gets a sentence. */
export async function fetchAll(
  transport: ChannelTransport,
  files: readonly InboundFile[],
  clock: ChannelClock,
  signal: AbortSignal,
): Promise<{ attachments: ChannelAttachment[]; missing: string[] }> {
  const attachments: ChannelAttachment[] = [];
  const missing: string[] = [];
  let room = MAX_FILE;
  for (const file of files.slice(0, MAX_FILES)) {
    try {
      const bytes = await fetchOne(transport, file, room, clock, signal);
      room -= bytes.length;
      attachments.push({
        name: baseName(file.name),
        mimeType: file.mimeType,
        data: Buffer.from(bytes).toString("base64"),
        ...(file.voice && { voice: file.voice }),
      });
    } catch (error) {
      if (signal.aborted) throw error;
      missing.push(`${baseName(file.name)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  for (const file of files.slice(MAX_FILES)) missing.push(`${baseName(file.name)}: one of too many files`);
  return { attachments, missing };
}

async function fetchOne(
  transport: ChannelTransport,
  file: InboundFile,
  room: number,
  clock: ChannelClock,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (!transport.download) throw new ChannelFailure("refused", "files cannot be read here");
  if ((file.size ?? 0) > room) throw tooLarge();
  const stop = new AbortController();
  const late = () => {
    const failure = new ChannelFailure("refused", "it took too long to fetch");
    stop.abort(failure);
    return failure;
  };
  const bytes = await within(
    clock,
    FETCH_MS,
    transport.download(file, AbortSignal.any([signal, stop.signal])),
    late,
  );
  if (bytes.length > room) throw tooLarge();
  return bytes;
}

function checked(address: string, { hosts, allowHttp }: FetchFileOptions): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  const scheme = url?.protocol === "https:" || (allowHttp === true && url?.protocol === "http:");
  if (!url || !scheme || (!hosts.includes(url.host) && !hosts.includes(url.hostname))) {
    throw new ChannelFailure("refused", `${url?.host ?? "the address"} is not where files are expected`);
  }
  return url;
}

async function readAtMost(response: Response): Promise<Uint8Array> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new ChannelFailure("refused", `the server answered ${response.status}`);
  }
  if (Number(response.headers.get("content-length") ?? 0) > MAX_FILE) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    // Leaving the loop cancels the stream.
    if (length > MAX_FILE) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const tooLarge = () => new ChannelFailure("refused", "larger than 25 MiB");

function baseName(name: string): string {
  return name.replace(/^.*[\\/]/, "").slice(0, 200) || "file";
}
