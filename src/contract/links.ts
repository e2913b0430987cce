import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { pluginKeySchema } from "./plugin.ts";

/** The scheme that the operating system hands to Patchbay. */
export const linkScheme = "patchbay";

export const pluginTabs = ["overview", "settings", "setup", "activity", "versions"] as const;
export const settingsSections = [
  "models",
  "secrets",
  "sources",
  "limits",
  "appearance",
  "safety",
  "diagnostics",
  "about",
] as const;

/**
 * A screen that a `patchbay://` link may lead to, and that the screens' own routes stand for. Links come from anywhere:
 * they show a screen and do nothing.
 */
const deepLinkSchema = z.discriminatedUnion("screen", [
  z.object({ screen: z.literal("home") }),
  z.object({ screen: z.literal("agent"), agentId: agentIdSchema }),
  z.object({
    screen: z.literal("plugin"),
    agentId: agentIdSchema,
    key: pluginKeySchema,
    tab: z.enum(pluginTabs).optional(),
  }),
  z.object({ screen: z.literal("matrix"), agentId: agentIdSchema }),
  z.object({
    screen: z.literal("discover"),
    agentId: agentIdSchema,
    /** One result: what comes with Patchbay, or a package by its name. No addresses: a link makes nobody ask a stranger. */
    spec: z
      .string()
      .max(300)
      .regex(/^(builtin:)?(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(@[\w.+-]+)?$/)
      .optional(),
  }),
  z.object({ screen: z.literal("approvals"), agentId: agentIdSchema }),
  z.object({
    screen: z.literal("settings"),
    agentId: agentIdSchema,
    section: z.enum(settingsSections).optional(),
  }),
]);
export type DeepLink = z.infer<typeof deepLinkSchema>;

/** Reads a `patchbay://` link; undefined when it is not one that Patchbay knows. */
export function parseDeepLink(link: string): DeepLink | undefined {
  const url = URL.parse(link);
  if (!url || url.protocol !== `${linkScheme}:`) return undefined;
  const [area, ...rest] = [url.host, ...url.pathname.split("/").filter(Boolean)];
  if (area === "open" && rest.length === 0) return { screen: "home" };
  if (area !== "agents") return undefined;
  return deepLinkSchema.safeParse(screenOf(rest)).data;
}

function screenOf([agentId, what, which, detail, ...more]: string[]): object | undefined {
  if (more.length > 0) return undefined;
  if (what === undefined) return { screen: "agent", agentId };
  if (what === "plugins" && which !== undefined)
    return { screen: "plugin", agentId, key: which, ...(detail !== undefined && { tab: detail }) };
  if (detail !== undefined) return undefined;
  if (what === "settings")
    return { screen: "settings", agentId, ...(which !== undefined && { section: which }) };
  if (what === "discover")
    return { screen: "discover", agentId, ...(which !== undefined && { spec: decode(which) }) };
  if (what === "matrix" && which === undefined) return { screen: "matrix", agentId };
  if (what === "approvals" && which === undefined) return { screen: "approvals", agentId };
  return undefined;
}

/** Null, which is no spec, for what is not encoded correctly. */
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
