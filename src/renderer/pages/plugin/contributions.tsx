import { useTranslation } from "react-i18next";
import { ToolList } from "../../features/offered/public.ts";
import type { Row } from "../../model/rows.ts";
import { AskedCommands, AskedHooks } from "../../ui/asks/asked-programs.tsx";
import { Block } from "../../ui/well.tsx";
import { CommandList, HookList, SkillList } from "./contribution-lists.tsx";
import { PluginKeys } from "./plugin-keys.tsx";
import { PluginProviders } from "./plugin-providers.tsx";

/** What the plugin adds to the agent: what it declares, and, while it runs, what it really offers. */
export function Contributions({ row }: { row: Row }) {
  const { t } = useTranslation();
  const contributed = row.view?.instance.contributions ?? null;
  const declared = row.plugin?.capabilities;
  if (!declared) return null;
  const { commands: asked = [], hooks: askedHooks = [] } = row.plugin?.consent ?? {};
  const { tools = [], hooks = [], commands = [], skills = [] } = contributed ?? {};
  const events = [...new Set([...(declared.hooks?.events ?? []), ...hooks.map(({ event }) => event)])];
  const skillNames = [...new Set([...skills.map(({ name }) => name), ...(declared.skills?.names ?? [])])];
  return (
    <>
      {(declared.tools || tools.length > 0) && (
        <Block title={t("page.tools")}>
          {contributed ? (
            <ToolList agentId={row.agentId} pluginKey={row.key} tools={tools} />
          ) : asked.length > 0 ? (
            <AskedCommands commands={asked} />
          ) : (
            <p className="text-sm text-mute">
              {declared.tools?.namespace === undefined
                ? t("page.anyToolsLater")
                : t("page.toolsLater", { namespace: declared.tools.namespace })}
            </p>
          )}
        </Block>
      )}
      {declared.channel && (
        <Block title={t("capability.channel")}>
          <p className="text-sm text-mute">{t("page.channelText")}</p>
        </Block>
      )}
      {events.length > 0 && (
        <Block title={t("page.hooks")}>
          <HookList events={events} hooks={hooks} required={row.plugin?.declaration.requiredHooks ?? []} />
        </Block>
      )}
      {askedHooks.length > 0 && (
        <Block title={t("asked.hooks")}>
          <AskedHooks hooks={askedHooks} />
        </Block>
      )}
      {(declared.commands || commands.length > 0) && (
        <Block title={t("page.commands")}>
          <CommandList names={declared.commands?.names ?? []} commands={commands} />
        </Block>
      )}
      <PluginProviders agentId={row.agentId} plugin={row.key} />
      <PluginKeys agentId={row.agentId} plugin={row.key} />
      {skillNames.length > 0 && (
        <Block title={t("page.skills")}>
          <p className="text-sm text-mute">{t("page.skillsText")}</p>
          <SkillList names={skillNames} skills={skills} />
        </Block>
      )}
    </>
  );
}
