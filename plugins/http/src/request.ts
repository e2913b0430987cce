import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Address } from "./addresses.ts";

/** An answer whose head has arrived; its body is still on the way, with any compression taken off. */
export interface Answer {
  status: number;
  statusText: string;
  headers: IncomingMessage["headers"];
  body: Readable;
  /** Ends the connection, whatever was read of it. */
  close(): void;
}

/**
 * One GET over a connection of its own to one of the given addresses; the name is not looked up again.
 * Rejects with the error of the connection, or with the reason of the signal.
 */
export function get(url: URL, addresses: readonly Address[], signal: AbortSignal): Promise<Answer> {
  const start = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = start(url, {
      agent: false,
      lookup: pinned(addresses),
      signal,
      headers: {
        accept: "text/html, application/json, text/*;q=0.9, */*;q=0.5",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "Patchbay/0.1 (+http_get)",
      },
    });
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      const body = decompressed(incoming);
      // A connection that breaks while nobody reads must not end the process.
      body.on("error", () => {});
      resolve({
        status: incoming.statusCode ?? 0,
        statusText: incoming.statusMessage ?? "",
        headers: incoming.headers,
        body,
        close: () => {
          body.destroy();
          incoming.destroy();
        },
      });
    });
    outgoing.end();
  });
}

/** Answers every look-up of this connection with the addresses that were checked. */
function pinned(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    const fitting = addresses.filter(({ family }) => !options.family || options.family === family);
    const first = fitting[0];
    if (!first) return callback(new Error("No checked address fits."), "", 0);
    if (options.all) return callback(null, [...fitting]);
    callback(null, first.address, isIP(first.address));
  };
}

function decompressed(incoming: IncomingMessage): Readable {
  const decoder = decoders[incoming.headers["content-encoding"]?.trim().toLowerCase() ?? ""];
  if (!decoder) return incoming;
  const output = decoder();
  incoming.once("error", (error) => output.destroy(error));
  return incoming.pipe(output);
}

const decoders: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
