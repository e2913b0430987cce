/** The scheme that the operating system hands to Patchbay. */
export const linkScheme = "patchbay";

/** A screen that a `patchbay://` link may lead to. Links come from anywhere: they show a screen and do nothing. */
export type DeepLink =
  | { screen: "home" }
  | { screen: "agent"; agentId: string }
  | { screen: "plugin"; agentId: string; key: string };

const id = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Reads a `patchbay://` link; undefined when it is not one that Patchbay knows. */
export function parseDeepLink(link: string): DeepLink | undefined {
  const url = URL.parse(link);
  if (!url || url.protocol !== `${linkScheme}:`) return undefined;
  const [area, ...rest] = [url.host, ...url.pathname.split("/").filter(Boolean)];
  const [agentId, what, key] = rest;
  if (area === "open" && rest.length === 0) return { screen: "home" };
  if (area !== "agents" || agentId === undefined || !id.test(agentId)) return undefined;
  if (rest.length === 1) return { screen: "agent", agentId };
  if (rest.length === 3 && what === "plugins" && key !== undefined && id.test(key))
    return { screen: "plugin", agentId, key };
  return undefined;
}

/** The first link among the arguments of a start. */
export function findDeepLink(argv: readonly string[]): DeepLink | undefined {
  for (const argument of argv) {
    const link = parseDeepLink(argument);
    if (link) return link;
  }
  return undefined;
}
