import { generatePath, useNavigate, useParams } from "react-router";
import { pluginTabs, settingsSections } from "../../contract/links.ts";

export { pluginTabs, settingsSections };
export type PluginTab = (typeof pluginTabs)[number];

export const patterns = {
  home: "/agents/:agentId/plugins",
  plugin: "/agents/:agentId/plugins/:key",
  pluginTab: "/agents/:agentId/plugins/:key/:tab",
  conversation: "/agents/:agentId/conversation",
  debug: "/agents/:agentId/debug",
  debugTab: "/agents/:agentId/debug/:tab",
  approvals: "/agents/:agentId/approvals",
  tools: "/agents/:agentId/tools",
  toolsPart: "/agents/:agentId/tools/:part",
  settings: "/agents/:agentId/settings",
  settingsSection: "/agents/:agentId/settings/:section",
  unknown: "/unknown/:link",
  discover: "/agents/:agentId/discover",
  found: "/agents/:agentId/discover/:spec",
} as const;

export function homePath(agentId: string): string {
  return generatePath(patterns.home, { agentId });
}

/** The same page as {@link homePath}, as a table of plugins and agents. */
export function matrixPath(agentId: string): string {
  return `${homePath(agentId)}?view=matrix`;
}

export function discoverPath(agentId: string): string {
  return generatePath(patterns.discover, { agentId });
}

/** The page of one result of Discover. */
export function foundPath(agentId: string, spec: string): string {
  return `${discoverPath(agentId)}/${encodeURIComponent(spec)}`;
}

export function pluginPath(agentId: string, key: string, tab: PluginTab = "overview"): string {
  return generatePath(patterns.pluginTab, { agentId, key, tab });
}

export type SettingsSection = (typeof settingsSections)[number];

export function approvalsPath(agentId: string): string {
  return generatePath(patterns.approvals, { agentId });
}

/** The parts of the page about what an agent may do. */
export const toolsParts = ["tools", "rules", "what-if", "programs"] as const;
export type ToolsPart = (typeof toolsParts)[number];

/** What the agent may do. */
export function toolsPath(agentId: string, part: ToolsPart = "tools"): string {
  return part === "tools"
    ? generatePath(patterns.tools, { agentId })
    : generatePath(patterns.toolsPart, { agentId, part });
}

export function settingsPath(agentId: string, section: SettingsSection = "models"): string {
  return generatePath(patterns.settingsSection, { agentId, section });
}

/** What the agent did and why, beside the conversation with it. */
export function debugPath(agentId: string, tab?: string): string {
  return tab === undefined
    ? generatePath(patterns.debug, { agentId })
    : generatePath(patterns.debugTab, { agentId, tab });
}

export function conversationPath(agentId: string): string {
  return generatePath(patterns.conversation, { agentId });
}

export function useOpenPlugin(): (agentId: string, key: string, tab?: PluginTab) => void {
  const navigate = useNavigate();
  return (agentId, key, tab) => void navigate(pluginPath(agentId, key, tab));
}

/** The agent of the address. Only used below a route that names one. */
export function useAgentId(): string {
  return useParams().agentId ?? "";
}

export function parseTab(tab: string | undefined): PluginTab {
  return pluginTabs.find((known) => known === tab) ?? "overview";
}
