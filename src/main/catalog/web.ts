import { PatchbayError } from "../../contract/index.ts";

export interface FetchLimits {
  patienceMs: number;
  mostBytes: number;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * A JSON document from an http(s) address, within limits of time and size.
 * @throws PatchbayError REGISTRY_UNREACHABLE when nothing answers, PACKAGE_NOT_FOUND for 404, REGISTRY_REFUSED for
 * other errors and for what is too large or no JSON.
 */
export async function fetchJson(url: string, limits: FetchLimits): Promise<unknown> {
  const host = new URL(url).host;
  const patience = AbortSignal.timeout(limits.patienceMs);
  const signal = limits.signal ? AbortSignal.any([limits.signal, patience]) : patience;
  try {
    const response = await fetch(url, { headers: { accept: "application/json", ...limits.headers }, signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw statusError(response.status, host);
    }
    return parse(await readLimited(response, limits.mostBytes, host), host);
  } catch (error) {
    if (error instanceof PatchbayError) throw error;
    limits.signal?.throwIfAborted();
    const reason = patience.aborted ? `${host} did not answer in time.` : `${host} did not answer.`;
    throw new PatchbayError("REGISTRY_UNREACHABLE", reason, { cause: error });
  }
}

function statusError(status: number, host: string): PatchbayError {
  if (status === 404) return new PatchbayError("PACKAGE_NOT_FOUND", `${host} has nothing at that address.`);
  return new PatchbayError("REGISTRY_REFUSED", `${host} answered with error ${status}.`, {
    details: { status },
  });
}

async function readLimited(response: Response, mostBytes: number, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) {
      throw new PatchbayError("REGISTRY_REFUSED", `${host} sent more than Patchbay accepts.`, {
        details: { mostBytes },
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string, host: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PatchbayError("REGISTRY_REFUSED", `${host} answered with something that is no JSON.`, {
      cause: error,
    });
  }
}
