import { namedIcons } from "../icons/named-icons.ts";
import type { RegistryEntry } from "./entry.ts";
import { provenPublisher } from "./publisher.ts";

/**
 * Addresses of a server's icons that may be asked for, best first: over https, at a host that the server's name proves to be its
 * publisher's, or at the registry itself. So nobody can have other people's hosts asked in their name.
 *
 * @param registry address of the registry
 */
export function registeredIcons({ server: { name, icons } }: RegistryEntry, registry: string): URL[] {
  const isProven = provenBy(name);
  return namedIcons(icons).flatMap((src) => {
    const url = URL.parse(src);
    if (url === null || url.username !== "" || url.password !== "") return [];
    if (url.origin === new URL(registry).origin) return [url];
    return url.protocol === "https:" && isProven(url) ? [url] : [];
  });
}

function provenBy(name: string): (url: URL) => boolean {
  const publisher = provenPublisher(name).toLowerCase();
  const account = /^github\.com\/(.+)$/.exec(publisher)?.[1];
  if (account !== undefined)
    return ({ hostname, pathname }) =>
      hostname === `${account}.github.io` ||
      (hostname === "raw.githubusercontent.com" && pathname.toLowerCase().startsWith(`/${account}/`));
  // One word alone is no domain of anybody.
  if (!publisher.includes(".")) return () => false;
  return ({ hostname }) => hostname === publisher || hostname.endsWith(`.${publisher}`);
}
