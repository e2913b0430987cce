import { useTranslation } from "react-i18next";
import type { Starts } from "../../../contract/found/starts.ts";
import { OfferedTools, StartingNote, ToolList } from "../../features/offered/public.ts";
import type { Row } from "../../model/rows.ts";
import { AskedCommands, AskedHooks } from "../../ui/asks/asked-programs.tsx";
import { StartsList } from "../../ui/asks/starts.tsx";
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
  const { agentId, key } = row;
  const { commands: asked = [], hooks: askedHooks = [], starts } = row.plugin?.consent ?? {};
  const { tools = [], hooks = [], commands = [], skills = [] } = contributed ?? {};
  const events = [...new Set([...(declared.hooks?.events ?? []), ...hooks.map(({ event }) => event)])];
  const skillNames = [...new Set([...skills.map(({ name }) => name), ...(declared.skills?.names ?? [])])];
  return (
    <>
      {row.view?.instance.fetchesUntil && <StartingNote row={row} />}
      {(declared.tools || tools.length > 0) && (
        <Block title={t("page.tools")}>
          {contributed ? (
            <ToolList agentId={agentId} pluginKey={key} tools={tools} />
          ) : row.plugin?.check ? (
            <OfferedTools agentId={agentId} plugin={row.plugin} switches={row.view?.tools} />
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
      {starts && (
        <Block title={t(`starts.${starts.way}`)}>
          <StartsList starts={withoutFirstStart(starts)} />
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
      {contributed?.prompts && (
        <Block title={t("attachable.prompts")}>
          <p className="text-sm text-mute">{t("attachable.promptsText", { plugin: row.key })}</p>
          <SkillList
            names={contributed.prompts.map(({ name }) => name)}
            skills={contributed.prompts.map((prompt) => ({ ...prompt, path: "" }))}
          />
        </Block>
      )}
      {contributed?.resources && (
        <Block title={t("capability.resources")}>
          <p className="text-sm text-mute">{t("attachable.resourcesText")}</p>
          {contributed.resourceChanges !== undefined && (
            <p className="mt-1 text-sm text-mute">
              {t("attachable.changed", { count: contributed.resourceChanges })}
            </p>
          )}
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

/** What was true before its first start may be otherwise by now; what is missing is said where it fails. */
function withoutFirstStart({ missing: _missing, ...starts }: Starts): Starts {
  return { ...starts, fetches: false };
}
