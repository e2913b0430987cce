import { systemLanguage } from "../../../contract/index.ts";
import type { ChatLanguages } from "../../agents/ports.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AgentStore, SettingsStore } from "../../registry/index.ts";

export interface ChatLanguageSources {
  agents: Pick<AgentStore, "get" | "changes">;
  settings: Pick<SettingsStore, "get" | "changes">;
  platform: Pick<Platform, "languages">;
}

/** The language that an agent has for its chats, else the one of the screens. */
export function chatLanguages({ agents, settings, platform }: ChatLanguageSources): ChatLanguages {
  return {
    of(agentId) {
      const own = agents.get(agentId)?.chatLanguage ?? "app";
      if (own !== "app") return own;
      const { language } = settings.get();
      return language === "system" ? systemLanguage(platform.languages()) : language;
    },
    onChange(listener) {
      agents.changes.on("agent", listener);
      settings.changes.on("settings", listener);
      return () => {
        agents.changes.off("agent", listener);
        settings.changes.off("settings", listener);
      };
    },
  };
}
