import { isIP } from "node:net";

/**
 * What is wrong with a server's address; null when nothing is. The server has no password, so anybody who can listen on
 * the way could write in the person's name: plain http is accepted only to this machine or its own network.
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
  // A name without a dot belongs to this machine or its network, for example in Docker.
  return !host.includes(".") || host.endsWith(".local") || host.endsWith(".internal");
}
