import { type Client, ProtocolError, SdkError } from "@modelcontextprotocol/client";
import { PatchbayError } from "../../../../contract/index.ts";
import type { SpawnedHost } from "../../../platform/platform.ts";
import { endedAtStart } from "./faults.ts";
import { type SpokenEvents, SpokenTransport } from "./spoken-transport.ts";

/** `legacy`: speaks by `initialize`; `modern`: the revision 2026-07-28 and later, without a handshake. */
export type Era = "legacy" | "modern";

/** The newest revision of the modern era that Patchbay speaks. */
const modernRevision = "2026-07-28";
/** Answers to `initialize` after which a modern server is tried: the version, the method or its arguments are unknown. */
const notThisEra = new Set([-32_022, -32_601, -32_602]);

export interface Connected {
  client: Client;
  era: Era;
  transport: SpokenTransport;
}

export interface ProgramConnection {
  plugin: string;
  /** Starts the program anew. */
  spawn(): SpawnedHost;
  /** Makes a client that speaks one era. */
  client(era: Era, revision: string): Client;
  events: SpokenEvents;
  /** What it turned out to speak before; undefined: it is not known. */
  known: Era | undefined;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Starts a server's program and finds out what it speaks. The older way is tried first, because nearly all servers speak it,
 * those of both eras too, and some end at a first message that they do not know. Only where it is refused, or the program
 * ends, a fresh one is asked in the new way. (The specification wants it the other way round, which costs each start of a
 * usual server a second process.)
 *
 * @throws PatchbayError START_FAILED, START_TIMEOUT, PROTOCOL_UNSUPPORTED
 */
export async function connectProgram(options: ProgramConnection): Promise<Connected> {
  const first = options.known ?? "legacy";
  const begun = await attempt(options, first);
  if ("client" in begun) return begun;
  if (first === "legacy" && !begun.maybeModern) throw begun.error;
  const second = await attempt(options, first === "legacy" ? "modern" : "legacy");
  if ("client" in second) return second;
  // What the usual way said is what a person can do something with.
  throw first === "legacy" ? begun.error : second.error;
}

async function attempt(
  { plugin, spawn, client: make, events, timeoutMs, signal }: ProgramConnection,
  era: Era,
): Promise<Connected | { error: unknown; maybeModern: boolean }> {
  const transport = new SpokenTransport(spawn(), events);
  const client = make(era, modernRevision);
  const abort = () => transport.end();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await client.connect(transport, { timeout: timeoutMs, signal });
    return { client, era, transport };
  } catch (error) {
    const endedItself = transport.hasExited;
    transport.end();
    const exit = await transport.exited;
    signal.throwIfAborted();
    if (SdkError.isInstance(error) && error.code === "REQUEST_TIMEOUT")
      return { error: silent(plugin, timeoutMs), maybeModern: false };
    if (endedItself)
      return {
        error: endedAtStart(plugin, exit, transport.lastLines),
        maybeModern: exit.error === undefined,
      };
    if (ProtocolError.isInstance(error))
      return { error: notSpoken(plugin, error), maybeModern: notThisEra.has(error.code) };
    return { error: notSpoken(plugin, error), maybeModern: false };
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function silent(plugin: string, ms: number): PatchbayError {
  return new PatchbayError(
    "START_TIMEOUT",
    `${plugin} started but did not answer in ${Math.round(ms / 1_000)} s. It may still be downloading, or is no MCP server.`,
  );
}

function notSpoken(plugin: string, error: unknown): PatchbayError {
  const said = error instanceof Error ? (error.message.split("\n")[0] ?? "").slice(0, 300) : "";
  return new PatchbayError(
    "PROTOCOL_UNSUPPORTED",
    `${plugin} speaks another version of MCP than Patchbay, which speaks 2024-11-05 to ${modernRevision}.`,
    { details: { said }, cause: error },
  );
}
