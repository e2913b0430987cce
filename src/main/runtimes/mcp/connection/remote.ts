import {
  type AuthProvider,
  type Client,
  type FetchLike,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { PatchbayError } from "../../../../contract/index.ts";
import { type Fetch, judgedFetch } from "../../../platform/walls/network/judged-fetch.ts";
import type { StartRequest } from "../../runtime.ts";
import { placesOf } from "../own-places.ts";
import { endpointUrl } from "../server/endpoint.ts";
import { type Filling, inputsIn, textOf } from "../server/parts.ts";
import type { McpServer } from "../server/server-file.ts";
import { boundedAnswers } from "./bounded-answers.ts";
import type { Era } from "./connect.ts";
import { Connection } from "./connection.ts";
import { type FaultPlace, faultOf } from "./faults.ts";
import { keptSession } from "./kept-session.ts";

export type RemoteServer = Extract<McpServer, { type: "remote" }>;

/** Codes after which another way of speaking is not tried: the server wants to know who is there. */
const wantsSomebody: ReadonlySet<string> = new Set(["CREDENTIALS_REFUSED", "NEEDS_SETUP"]);

/** How requests to one server carry a token. */
export interface Authorization {
  auth?: AuthProvider;
  fetch: Fetch;
}

/** How a server at an address is connected to. */
export interface RemoteWay {
  client(era: Era): Client;
  /** How requests carry who is meant, where the server's own headers do not say it. */
  authorize(address: URL, fetch: Fetch): Authorization;
  signal: AbortSignal;
}

/** What the connection is for. */
export type RemoteRequest = Pick<StartRequest, "plugin" | "config" | "workspace" | "limits" | "walls">;

/** The address of a server with the settings put in. @throws PatchbayError CONFIG_INVALID */
export function addressOf({ url: part }: RemoteServer, filling: Filling): URL {
  const address = textOf(part, filling);
  const url = endpointUrl(address);
  if (url) return url;
  throw new PatchbayError("CONFIG_INVALID", `“${address.slice(0, 200)}” is no address of an MCP server.`, {
    help: "Give an address that begins with https://.",
  });
}

/** Where a server is, and how the plugin reaches what lies there, without the server's headers. @throws PatchbayError CONFIG_INVALID */
export function placeOfServer(
  server: RemoteServer,
  { config, workspace, walls }: Pick<RemoteRequest, "config" | "workspace" | "walls">,
): { address: URL; fetch: Fetch } {
  const address = addressOf(server, { inputs: config, places: placesOf("", workspace) });
  return { address, fetch: judgedFetch(walls.judge) };
}

/**
 * Connects to a server at an address: by Streamable HTTP, and by the older SSE where that is all it speaks. It is asked for
 * what it speaks in the new way first.
 *
 * @throws PatchbayError CONFIG_INVALID, CREDENTIALS_REFUSED, NEEDS_SETUP, SERVER_UNREACHABLE
 */
export async function connectRemote(
  server: RemoteServer,
  { plugin, config, workspace, limits, walls }: RemoteRequest,
  { client: make, authorize, signal }: RemoteWay,
): Promise<Connection> {
  const filling: Filling = { inputs: config, places: placesOf("", workspace) };
  const url = addressOf(server, filling);
  const headers = headersOf(server, filling);
  const fetch = keptSession(boundedAnswers(judgedFetch(walls.judge)));
  const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const { auth, fetch: sent } = hasKey ? { fetch } : authorize(url, fetch);
  const way = {
    requestInit: { headers },
    fetch: sent,
    ...(auth && { authProvider: auth }),
    onInsufficientScope: "throw" as const,
  };
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
    const streamable = new StreamableHTTPClientTransport(url, way);
    try {
      await connectInTime(client, streamable, options);
      return new Connection({
        client,
        era: client.getProtocolEra() ?? "legacy",
        transport: null,
        host: url.host,
        leave: () => streamable.terminateSession(),
      });
    } catch (error) {
      await client.close().catch(() => {});
      signal.throwIfAborted();
      // Whoever is silent here is silent there, too.
      if (late.aborted || isTimeout(error)) throw silent();
      const fault = faultOf(error, place);
      if (server.transport === "http" || wantsSomebody.has(fault.code)) throw fault;
      const older = await connectSse(url, { way, make, options, place });
      signal.throwIfAborted();
      if (older === null) throw fault;
      return older;
    }
  }
  const older = await connectSse(url, { way, make, options, place });
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
    place,
  }: {
    way: { requestInit: RequestInit; fetch: FetchLike; authProvider?: AuthProvider };
    make(era: Era): Client;
    options: { timeout: number; signal: AbortSignal };
    place: FaultPlace;
  },
): Promise<Connection | null> {
  const client = make("legacy");
  try {
    await connectInTime(client, new SSEClientTransport(url, way), options);
    return new Connection({ client, era: "legacy", transport: null, host: url.host });
  } catch (error) {
    await client.close().catch(() => {});
    const fault = faultOf(error, place);
    if (wantsSomebody.has(fault.code)) throw fault;
    return null;
  }
}

/** The server's own headers with the settings put in; one of which every setting is open is left out. */
function headersOf({ headers }: RemoteServer, filling: Filling): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, part]) => {
      const inputs = inputsIn(part);
      const isOpen = inputs.length > 0 && inputs.every((input) => textOf({ input }, filling) === "");
      const value = textOf(part, filling);
      return value === "" || isOpen ? [] : [[name, value]];
    }),
  );
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
