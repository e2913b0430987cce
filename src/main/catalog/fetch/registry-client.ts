import { createRequire } from "node:module";
import { clientOptions } from "./client-options.ts";
import type { NpmOptions } from "./protocol.ts";

type Json = (address: string, options: Record<string, unknown>) => Promise<unknown>;

let client: Json | undefined;

/** The registry client that pacote itself uses, with its proxies, certificates and credentials; it has no types. */
function jsonOf(): Json {
  client ??= (
    createRequire(createRequire(import.meta.url).resolve("pacote"))("npm-registry-fetch") as { json: Json }
  ).json;
  return client;
}

/** Asks a registry at a path below its address. @throws the client's errors, with `statusCode` for an answer */
export function askRegistry(path: string, options: NpmOptions, body?: unknown): Promise<unknown> {
  const posted = body === undefined ? {} : { method: "POST", body };
  return jsonOf()(new URL(path, options.registry).href, { ...clientOptions(options), ...posted });
}
