import { isIP } from "node:net";

/**
 * What is wrong with the address of a server; null when nothing is. The server asks nobody for a password, so that
 * whoever can listen on the way can write as the person: plain http only where that is this machine or its own network.
 */
export function serverProblem(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    return "Write the address of the server, such as http://127.0.0.1:8080.";
  }
  if (url.username !== "" || url.search !== "" || url.hash !== "")
    return "The address must be nothing but an address.";
  if (url.protocol === "http:" && !isNear(url.hostname)) {
    return "Over the internet the address must begin with https://, because the server asks nobody for a password.";
  }
  return null;
}

/** The address of one call. */
export function callAddress(server: string, path: string): URL {
  return new URL(path, `${server.replace(/\/+$/, "")}/`);
}

function isNear(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) === 4) return /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\./.test(host);
  if (isIP(host) === 6) return host === "::1" || /^f[cd]/i.test(host);
  // A name without a dot is one of this machine or its network, as in Docker.
  return !host.includes(".") || host.endsWith(".local") || host.endsWith(".internal");
}
