import { z } from "zod";

/** Whether a host's name or address lies on this computer or in its network, as far as its writing shows. */
export function isNear(host: string): boolean {
  if (host.startsWith("[")) return /^\[(?:::1?\]|::ffff:|f[cd]|fe[89ab])/i.test(host);
  if (/^(?:localhost|.*\.(?:localhost|local|internal|lan|home\.arpa)|[^.]+)\.?$/i.test(host)) return true;
  return /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
    host,
  );
}

/**
 * An address as a person types it, made whole: without a scheme it is `http` for this computer and its network and
 * `https` for all others, and a server of this network that is named by its port alone gets `/v1`, where all of them
 * have their models. What is no address comes back as it was.
 */
export function completedAddress(typed: string): string {
  const text = typed.trim();
  if (text === "" || text.includes("://")) return text.replace(/\/+$/, "");
  const url = URL.parse(`http://${text.replace(/^\/+/, "")}`);
  if (!url || url.hostname === "") return text;
  const near = isNear(url.hostname);
  const path = url.pathname.replace(/\/+$/, "") || (near ? "/v1" : "");
  return `${near ? "http" : "https"}://${url.host}${path}${url.search}`;
}

/** Whether a completed address is one of the web. */
export function isModelAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" && !/\s/.test(address);
}

/** The address of a model, completed when it is parsed. */
export const modelAddressSchema = z
  .string()
  .max(2_000)
  .overwrite(completedAddress)
  .refine(isModelAddress, "an address such as https://example.com/v1 or localhost:11434");
