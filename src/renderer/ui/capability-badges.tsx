import { useTranslation } from "react-i18next";
import type { Capabilities } from "../../contract/plugin.ts";
import type { ToolInfo } from "../../contract/tools/tool-info.ts";
import { Badge } from "./badge.tsx";

interface CapabilityBadgesProps {
  capabilities: Capabilities;
  /** Those of one that runs. */
  tools?: readonly ToolInfo[] | undefined;
}

/** What a plugin brings, without running it. */
export function CapabilityBadges({ capabilities, tools }: CapabilityBadgesProps) {
  const { t } = useTranslation();
  const { channel, hooks, commands, skills, providers, shortcuts, prompts, resources } = capabilities;
  const toolCount = tools?.filter(({ reading }) => !reading).length ?? capabilities.tools?.count;
  return (
    <>
      {channel && <Badge>{t("capability.channel")}</Badge>}
      {capabilities.tools && (
        <Badge>
          {toolCount === undefined ? t("capability.tools") : t("capability.toolsCount", { count: toolCount })}
        </Badge>
      )}
      {hooks && (
        <Badge title={hooks.events.join(", ")}>
          {t("capability.hooksCount", { count: hooks.events.length })}
        </Badge>
      )}
      {commands && (
        <Badge title={commands.names.map((name) => `/${name}`).join(" ")}>
          {commands.names.length > 0
            ? t("capability.commandsCount", { count: commands.names.length })
            : t("capability.commands")}
        </Badge>
      )}
      {skills && <Badge>{t("capability.skillsCount", { count: skills.names.length })}</Badge>}
      {providers && <Badge>{t("capability.providersCount", { count: providers.names.length })}</Badge>}
      {shortcuts && <Badge>{t("capability.shortcutsCount", { count: shortcuts.names.length })}</Badge>}
      {prompts && (
        <Badge title={prompts.names.join(", ")}>
          {t("capability.promptsCount", { count: prompts.names.length })}
        </Badge>
      )}
      {resources && <Badge>{t("capability.resources")}</Badge>}
    </>
  );
}
