import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { parseTab, pluginPath, pluginTabs } from "../../base/routes.ts";
import { PeopleTab } from "../../features/channel/people-tab.tsx";
import { UnknownPlugin } from "../../features/plugins/unknown-plugin.tsx";
import { SetupTab } from "../../features/setup/setup-tab.tsx";
import { hasWizard } from "../../model/finished-setup.ts";
import { hasPeople, peopleOf } from "../../model/people.ts";
import { useRow } from "../../model/rows.ts";
import { TabPanel, Tabs } from "../../ui/controls/tabs.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ActivityTab } from "./activity-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { PluginHeader } from "./plugin-header.tsx";
import { VersionsTab } from "./versions-tab.tsx";

const SettingsTab = lazy(async () => ({
  default: (await import("../../features/settings-form/settings-tab.tsx")).SettingsTab,
}));

const PermissionsTab = lazy(async () => ({
  default: (await import("../../features/permissions/permissions-tab.tsx")).PermissionsTab,
}));

/** One plugin for one agent: what it is, its settings, what it does right now, and its versions. */
export function PluginPage() {
  const { t } = useTranslation();
  const { agentId = "", key = "", tab } = useParams();
  const navigate = useNavigate();
  const row = useRow(agentId, key);
  const people = peopleOf(row);
  const tabs = pluginTabs.filter((value) => {
    if (value === "setup") return hasWizard(row.plugin);
    return value !== "people" || hasPeople(row);
  });
  const current = tabs.find((value) => value === parseTab(tab)) ?? "overview";

  if (!row.plugin && !row.view) return <UnknownPlugin agentId={agentId} pluginKey={key} />;
  return (
    <div className="flex h-full min-w-0 flex-col animate-appear">
      <PluginHeader row={row} />
      <Tabs
        label={t("page.tabs")}
        value={current}
        onChange={(next) => void navigate(pluginPath(agentId, key, next), { replace: true })}
        tabs={tabs.map((value) => ({
          value,
          label: t(`page.tab.${value}`),
          ...(value === "people" && people.waiting.length > 0 && { count: people.waiting.length }),
        }))}
      >
        <TabPanel
          // Each tab begins at its top.
          key={current}
          value={current}
          className="min-h-0 flex-1 scroll-pb-40 overflow-y-auto focus-visible:-outline-offset-2"
        >
          {current === "overview" && <OverviewTab row={row} />}
          {current === "people" && <PeopleTab row={row} />}
          {current === "permissions" && (
            <Suspense fallback={<Spinner className="m-8 text-mute" />}>
              <PermissionsTab key={`${agentId}/${key}`} row={row} />
            </Suspense>
          )}
          {current === "settings" &&
            (row.plugin ? (
              <Suspense fallback={<Spinner className="m-8 text-mute" />}>
                <SettingsTab
                  key={`${agentId}/${key}`}
                  agentId={agentId}
                  plugin={row.plugin}
                  view={row.view}
                />
              </Suspense>
            ) : (
              <p className="page-x py-6 text-mute">{t("page.goneSettings")}</p>
            ))}
          {current === "setup" && <SetupTab row={row} />}
          {current === "activity" && <ActivityTab key={`${agentId}/${key}`} row={row} />}
          {current === "versions" && <VersionsTab row={row} />}
        </TabPanel>
      </Tabs>
    </div>
  );
}
