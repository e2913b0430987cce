import { PatchbayError } from "../../../../contract/index.ts";
import type { ServerFile, ServerInput } from "./server-file.ts";

const prefix = "mcp:";

/** The address in a spec such as `mcp:https://example.com/mcp`; null when the spec is no such thing. @throws PatchbayError SPEC_UNSUPPORTED */
export function endpointIn(spec: string): string | null {
  // A package of npm is fetched by the catalogue.
  if (!spec.startsWith(prefix) || spec.startsWith(`${prefix}npm/`)) return null;
  const address = spec.slice(prefix.length).trim();
  const url = endpointUrl(address);
  if (!url)
    throw new PatchbayError(
      "SPEC_UNSUPPORTED",
      `“${address.slice(0, 200)}” is no address of an MCP server.`,
      {
        help: "Give an address such as https://example.com/mcp.",
      },
    );
  return url.href;
}

/** The address of a server, a missing `https://` added; null when it is none. Without TLS only on this computer. */
export function endpointUrl(address: string): URL | null {
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/.test(address);
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `${isLocal ? "http" : "https"}://${address}`,
  );
  if (!url || url.hostname === "" || url.username !== "" || url.password !== "") return null;
  if (url.protocol === "https:") return url;
  const loopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  return url.protocol === "http:" && loopback ? url : null;
}

/** A key for a server of which only the address is known. */
export const keyInput: ServerInput = {
  name: "key",
  title: "Key",
  description: "Only for servers that want a key and offer no sign-in.",
  type: "string",
  required: false,
  secret: true,
  multiple: false,
};

/** A server at an address, as Patchbay keeps servers. */
export function serverOfEndpoint(address: string): ServerFile {
  const url = new URL(address);
  return {
    schema: 1,
    name: url.host.replace(/^www\.|^mcp\./, ""),
    version: "0",
    description: "",
    origin: { kind: "manual", name: address },
    server: {
      type: "remote",
      transport: "auto",
      url: address,
      headers: { Authorization: { join: ["Bearer ", { input: keyInput.name }] } },
    },
    inputs: [keyInput],
  };
}
