import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { deepLinkPath, linkScheme, parseDeepLink, unknownLinkPath } from "../../../contract/links.ts";
import { rpc } from "../../base/client/rpc.ts";
import {
  approvalsPath,
  conversationPath,
  debugPath,
  discoverPath,
  homePath,
  matrixPath,
  pluginPath,
  pluginTabs,
  settingsPath,
  settingsSections,
  toolsPath,
} from "../../base/routes.ts";
import { hasWizard } from "../../model/finished-setup.ts";
import { hasPeople } from "../../model/people.ts";
import { displayName, rowKeys, rowOf } from "../../model/rows.ts";
import { chooseSession } from "../../store/chosen-session.ts";
import { languageChoices } from "../../store/language.ts";
import { putRow, useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { saveSettings } from "../../store/save-settings.ts";
import { openWizard } from "../../store/wizard-panel.ts";
import { switchOn } from "../plugins/public.ts";
import { leaveSafeMode } from "../safety/public.ts";
import type { Entry } from "./entry.ts";
import { useFoundEntries } from "./found-entries.ts";

const themes = ["system", "light", "dark"] as const;

/** Every screen, plugin, agent and action, and a typed link. Only built while the palette is open. */
export function useEntries(agentId: string, query: string): Entry[] {
  const navigate = useNavigate();
  const { t } = useTranslation();
  const mirror = useMirror();
  const found = useFoundEntries(agentId, query, navigate);
  const known = useMemo(() => {
    const go = (path: string) => () => void navigate(path);
    const action = (id: string, text: string, run: Entry["run"], also?: string): Entry => ({
      id: `action:${id}`,
      kind: "action",
      text,
      also,
      run,
    });
    const screen = (path: string, text: string, also?: string): Entry => ({
      id: `screen:${path.replace(agentId, "")}`,
      kind: "screen",
      text,
      also,
      run: go(path),
    });

    const screens = [
      screen(homePath(agentId), t("rail.plugins")),
      screen(discoverPath(agentId), t("rail.discover")),
      screen(matrixPath(agentId), t("matrix.open"), t("matrix.subtitle")),
      screen(approvalsPath(agentId), t("rail.approvals"), t("history.title")),
      screen(debugPath(agentId), t("rail.debug"), t("debug.tab.timeline")),
      screen(debugPath(agentId, "tree"), t("debug.tree")),
      screen(toolsPath(agentId), t("rail.tools"), t("tools.may")),
      screen(toolsPath(agentId, "programs"), t("rules.part.programs"), t("programs.palette")),
      ...settingsSections.map((section) =>
        screen(
          settingsPath(agentId, section),
          t("palette.settings", { section: t(`prefs.section.${section}`) }),
        ),
      ),
    ];
    const plugins = rowKeys(mirror, agentId).flatMap((key): Entry[] => {
      const row = rowOf(mirror, agentId, key);
      const { plugin, view } = row;
      const name = displayName(row);
      const enabled = view?.enabled === true;
      const flip = async () => {
        if (enabled) putRow(await rpc.agentPlugins.set({ agentId, key, enabled: false }));
        else await switchOn(agentId, key);
      };
      const restart = async () => putRow(await rpc.agentPlugins.restart({ agentId, key }));
      return [
        { id: `plugin:${key}`, kind: "plugin", text: name, also: key, run: go(pluginPath(agentId, key)) },
        ...pluginTabs
          .filter((tab) => tab !== "overview")
          .filter((tab) => tab !== "setup" || hasWizard(plugin))
          .filter((tab) => tab !== "people" || hasPeople(row))
          .map(
            (tab): Entry => ({
              id: `plugin:${key}:${tab}`,
              kind: "plugin",
              text: t("palette.pluginTab", { plugin: name, tab: t(`page.tab.${tab}`) }),
              run: go(pluginPath(agentId, key, tab)),
            }),
          ),
        ...(plugin
          ? [action(`switch:${key}`, t(enabled ? "plugin.switchOff" : "plugin.switchOn", { name }), flip)]
          : []),
        ...(hasWizard(plugin)
          ? [
              action(
                `setup:${key}`,
                t("palette.setup", { plugin: name }),
                () => void openWizard(agentId, key),
              ),
            ]
          : []),
        ...(plugin && enabled
          ? [action(`restart:${key}`, t("palette.restart", { plugin: name }), restart)]
          : []),
      ];
    });
    const agents = [...mirror.agents.values()].flatMap((agent): Entry[] => [
      {
        id: `agent:${agent.id}`,
        kind: "agent",
        text: t("palette.agent", { agent: agent.name }),
        run: go(homePath(agent.id)),
      },
      action(`edit:${agent.id}`, t("palette.editAgent", { agent: agent.name }), () =>
        panels.editAgent(agent.id),
      ),
    ]);
    const actions = [
      action("install", t("plugins.add"), () => panels.openInstall(), t("consent.accept")),
      action("conversation", t("palette.showConversation"), () => panels.toggleConversation(true)),
      action("conversationPage", t("conversation.asPage"), go(conversationPath(agentId))),
      action("newConversation", t("conversation.new"), async () => {
        const session = await rpc.sessions.create({ agentId });
        useMirror.setState((state) => ({
          sessions: new Map(state.sessions).set(session.id, session),
        }));
        chooseSession(agentId, session.id);
        panels.toggleConversation(true);
      }),
      action("createAgent", t("agents.create"), () => panels.createAgent(true)),
      ...themes.map((theme) =>
        action(
          `theme:${theme}`,
          t("palette.theme", { theme: t(`theme.${theme}`) }),
          () => saveSettings({ theme }),
          t("theme.label"),
        ),
      ),
      ...languageChoices.map((language) =>
        action(`language:${language}`, t("palette.language", { language: t(`language.${language}`) }), () =>
          saveSettings({ language }),
        ),
      ),
      ...(mirror.holds?.safeMode ? [action("leaveSafeMode", t("safety.leave"), leaveSafeMode)] : []),
      action("search", t("safety.search"), go(settingsPath(agentId, "safety"))),
      action("diagnostics", t("diag.export"), go(settingsPath(agentId, "diagnostics"))),
      // Jobs that are done are left out: nothing can be done with them.
      ...[...mirror.jobs.values()]
        .filter((job) => job.status !== "done" && job.status !== "cancelled")
        .map((job) =>
          action(
            `job:${job.id}`,
            t(`job.title.${job.kind}`, { name: job.consent?.displayName ?? job.spec }),
            () => panels.showJob(job.id),
          ),
        ),
    ];
    return [
      ...linkEntries(query, t("palette.followLink", { link: query.trim() }), go),
      ...screens,
      ...plugins,
      ...agents,
      ...actions,
    ];
  }, [agentId, mirror, navigate, query, t]);
  return [...known, ...found];
}

/** A typed `patchbay://` link, known or not: one that leads nowhere is answered by a screen that says so. */
function linkEntries(query: string, text: string, go: (path: string) => () => void): Entry[] {
  const link = query.trim();
  if (!link.startsWith(`${linkScheme}:`)) return [];
  const known = parseDeepLink(link);
  return [{ id: "link", kind: "link", text, run: go(known ? deepLinkPath(known) : unknownLinkPath(link)) }];
}
