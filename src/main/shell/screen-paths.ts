import type { DeepLink } from "./deep-links.ts";

/** The renderer's path for the screen that a link leads to. */
export function deepLinkPath(link: DeepLink): string {
  switch (link.screen) {
    case "home":
      return "/";
    case "agent":
      return `/agents/${link.agentId}/plugins`;
    case "plugin":
      return `/agents/${link.agentId}/plugins/${link.key}`;
  }
}
