import { agentIdPattern, pluginKeyPattern } from "./names.ts";

/** The scheme that the operating system hands to Patchbay. */
export const linkScheme = "patchbay";

export const pluginTabs = [
  "overview",
  "people",
  "settings",
  "setup",
  "permissions",
  "activity",
  "versions",
] as const;
export const settingsSections = [
  "models",
  "secrets",
  "sources",
  "python",
  "code",
  "limits",
  "appearance",
  "keys",
  "safety",
  "removed",
  "diagnostics",
  "about",
] as const;

/**
 * A screen that a `patchbay://` link may open. Any web page can contain such a link, so it only shows a screen and
 * never changes anything.
 */
export type DeepLink =
  | { screen: "home" }
  | { screen: "agent" | "matrix" | "approvals"; agentId: string }
  | { screen: "plugin"; agentId: string; key: string; tab?: (typeof pluginTabs)[number] }
  | { screen: "discover"; agentId: string; spec?: string }
  | { screen: "settings"; agentId: string; section?: (typeof settingsSections)[number] };

/**
 * A spec that a link may name: a plugin that comes with Patchbay, or a package by its name. Addresses are not allowed,
 * so that a link cannot make Patchbay contact a server of the link's author.
 */
const specPattern = /^(builtin:)?(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(@[\w.+-]+)?$/;
const longestSpec = 300;

/** Reads a `patchbay://` link; undefined when it is not one that Patchbay knows. */
export function parseDeepLink(link: string): DeepLink | undefined {
  const url = URL.parse(link);
  if (!url || url.protocol !== `${linkScheme}:`) return undefined;
  const [area, ...rest] = [url.host, ...url.pathname.split("/").filter(Boolean)];
  if (area === "open" && rest.length === 0) return { screen: "home" };
  if (area !== "agents") return undefined;
  return screenOf(rest);
}

function screenOf([agentId = "", what, which, detail, ...more]: string[]): DeepLink | undefined {
  if (more.length > 0 || !agentIdPattern.test(agentId)) return undefined;
  switch (what) {
    case undefined:
      return { screen: "agent", agentId };
    case "plugins":
      return pluginScreen(agentId, which, detail);
    case "settings":
      return detail === undefined ? settingsScreen(agentId, which) : undefined;
    case "discover":
      return detail === undefined ? discoverScreen(agentId, which) : undefined;
    case "matrix":
    case "approvals":
      return which === undefined ? { screen: what, agentId } : undefined;
    default:
      return undefined;
  }
}

function pluginScreen(agentId: string, key: string | undefined, name: string | undefined) {
  if (key === undefined || !pluginKeyPattern.test(key)) return undefined;
  const tab = pluginTabs.find((known) => known === name);
  if (name !== undefined && !tab) return undefined;
  return { screen: "plugin" as const, agentId, key, ...(tab && { tab }) };
}

function settingsScreen(agentId: string, name: string | undefined) {
  const section = settingsSections.find((known) => known === name);
  if (name !== undefined && !section) return undefined;
  return { screen: "settings" as const, agentId, ...(section && { section }) };
}

function discoverScreen(agentId: string, encoded: string | undefined) {
  if (encoded === undefined) return { screen: "discover" as const, agentId };
  const spec = decode(encoded);
  if (spec === null || spec.length > longestSpec || !specPattern.test(spec)) return undefined;
  return { screen: "discover" as const, agentId, spec };
}

/** A percent-decoded text; null when its encoding is wrong. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The path of the screen that a link leads to, for the renderer's router. */
export function deepLinkPath(link: DeepLink): string {
  switch (link.screen) {
    case "home":
      return "/";
    case "agent":
      return `/agents/${link.agentId}/plugins`;
    case "plugin":
      return `/agents/${link.agentId}/plugins/${link.key}${link.tab ? `/${link.tab}` : ""}`;
    case "matrix":
      return `/agents/${link.agentId}/plugins?view=matrix`;
    case "discover":
      return `/agents/${link.agentId}/discover${link.spec ? `/${encodeURIComponent(link.spec)}` : ""}`;
    case "approvals":
      return `/agents/${link.agentId}/approvals`;
    case "settings":
      return `/agents/${link.agentId}/settings${link.section ? `/${link.section}` : ""}`;
  }
}

/** The path of the screen that says that a link leads nowhere. */
export function unknownLinkPath(link: string): string {
  return `/unknown/${encodeURIComponent(link.slice(0, 200))}`;
}
