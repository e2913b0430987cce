import {
  type Client,
  type FetchLike,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { PatchbayError } from "../../../../contract/index.ts";
import type { StartRequest } from "../../runtime.ts";
import { placesOf } from "../own-places.ts";
import { endpointUrl } from "../server/endpoint.ts";
import { type Filling, textOf } from "../server/parts.ts";
import type { McpServer } from "../server/server-file.ts";
import { boundedAnswers } from "./bounded-answers.ts";
import type { Era } from "./connect.ts";
import { Connection } from "./connection.ts";
import { faultOf } from "./faults.ts";
import { grantedFetch } from "./granted-fetch.ts";

export type RemoteServer = Extract<McpServer, { type: "remote" }>;

/**
 * Connects to a server at an address: by Streamable HTTP, and by the older SSE where that is all it speaks. It is asked for
 * what it speaks in the new way first.
 *
 * @throws PatchbayError CONFIG_INVALID, CREDENTIALS_REFUSED, SERVER_UNREACHABLE
 */
export async function connectRemote(
  server: RemoteServer,
  { plugin, config, workspace, limits, walls }: StartRequest,
  { client: make, signal }: { client(era: Era): Client; signal: AbortSignal },
): Promise<Connection> {
  const filling: Filling = { inputs: config, places: placesOf("", workspace) };
  const address = textOf(server.url, filling);
  const url = endpointUrl(address);
  if (!url)
    throw new PatchbayError("CONFIG_INVALID", `“${address.slice(0, 200)}” is no address of an MCP server.`, {
      help: "Give an address that begins with https://.",
    });
  const headers = Object.fromEntries(
    Object.entries(server.headers).flatMap(([name, part]) => {
      const value = textOf(part, filling);
      return value === "" ? [] : [[name, value]];
    }),
  );
  const way = { requestInit: { headers }, fetch: boundedAnswers(grantedFetch(walls.judge)) };
  const late = AbortSignal.timeout(limits.startMs);
  const options = { timeout: limits.startMs, signal: AbortSignal.any([signal, late]) };
  const silent = () =>
    new PatchbayError(
      "START_TIMEOUT",
      `${url.host} did not answer in ${Math.round(limits.startMs / 1_000)} s. It may be overloaded, or is no MCP server.`,
    );
  const place = { plugin: plugin.displayName, what: "its start", host: url.host, limitMs: limits.startMs };
  if (server.transport !== "sse") {
    const client = make("modern");
    try {
      await connectInTime(client, new StreamableHTTPClientTransport(url, way), options);
      return new Connection({
        client,
        era: client.getProtocolEra() ?? "legacy",
        transport: null,
        host: url.host,
      });
    } catch (error) {
      await client.close().catch(() => {});
      signal.throwIfAborted();
      // Whoever is silent here is silent there, too.
      if (late.aborted || isTimeout(error)) throw silent();
      const fault = faultOf(error, place);
      if (server.transport === "http" || fault.code === "CREDENTIALS_REFUSED") throw fault;
      const older = await connectSse(url, { way, make, options });
      signal.throwIfAborted();
      if (older === null) throw fault;
      return older;
    }
  }
  const older = await connectSse(url, { way, make, options });
  signal.throwIfAborted();
  if (older === null && late.aborted) throw silent();
  if (older === null)
    throw new PatchbayError("SERVER_UNREACHABLE", `${url.host} does not speak MCP at this address.`);
  return older;
}

/** Null where the server does not speak it. */
async function connectSse(
  url: URL,
  {
    way,
    make,
    options,
  }: {
    way: { requestInit: RequestInit; fetch: FetchLike };
    make(era: Era): Client;
    options: { timeout: number; signal: AbortSignal };
  },
): Promise<Connection | null> {
  const client = make("legacy");
  try {
    await connectInTime(client, new SSEClientTransport(url, way), options);
    return new Connection({ client, era: "legacy", transport: null, host: url.host });
  } catch {
    await client.close().catch(() => {});
    return null;
  }
}

/** Gives up when the signal says so. The library's transports wait for ever for the first answer of a stream. */
async function connectInTime(
  client: Client,
  transport: Transport,
  options: { timeout: number; signal: AbortSignal },
): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(options.signal.reason);
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    options.signal.throwIfAborted();
    await Promise.race([client.connect(transport, options), promise]);
  } catch (error) {
    await transport.close().catch(() => {});
    throw error;
  } finally {
    options.signal.removeEventListener("abort", stop);
  }
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) || isTimeout(error.cause);
}
