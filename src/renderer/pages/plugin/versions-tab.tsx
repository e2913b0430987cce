import { ArrowUpCircle, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { PluginView } from "../../../contract/plugin.ts";
import { rpc } from "../../base/client/rpc.ts";
import { formatMoment } from "../../base/i18n/time.ts";
import { homePath } from "../../base/routes.ts";
import { followJob } from "../../features/plugins/follow-job.ts";
import { displayName, type Row } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { cx } from "../../ui/class-names.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block } from "../../ui/well.tsx";

type Ask = "uninstall" | "forget" | null;

async function update(key: string) {
  followJob(await rpc.plugins.update({ key }));
}

async function goBack(key: string) {
  followJob(await rpc.plugins.rollback({ key }));
}

/** Versions: update, roll back, uninstall; what each does is said before it is done. */
export function VersionsTab({ row }: { row: Row }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [ask, setAsk] = useState<Ask>(null);
  const updating = useAction(update);
  const goingBack = useAction(goBack);
  const users = useUserNames(row.plugin);
  const { plugin, key, agentId } = row;
  const name = displayName(row);
  const previous = plugin?.previous[0];
  const close = () => setAsk(null);

  return (
    <div className="page-x py-5">
      <div className="grid items-start gap-4 @4xl/page:grid-cols-[1fr_380px]">
        {plugin && (
          <div className="space-y-4">
            <Block
              title={t("versions.current")}
              action={
                !plugin.source.uploaded && (
                  <Button
                    look="accent"
                    size="sm"
                    busy={updating.busy}
                    icon={<ArrowUpCircle className="size-3.5" aria-hidden="true" />}
                    onClick={() => void updating.act(key)}
                  >
                    {t("versions.update")}
                  </Button>
                )
              }
            >
              <VersionLine
                version={plugin.packageVersion}
                at={plugin.source.installedAt}
                note={t("versions.inUse")}
                current
              />
              <p className="mt-2 text-sm text-mute">
                {plugin.source.uploaded
                  ? t("versions.dropNewer", { file: plugin.source.spec })
                  : t("versions.updateText")}
              </p>
              {updating.problem && <ProblemNote className="mt-3" problem={updating.problem} />}
            </Block>
            <Block
              title={t("versions.previous")}
              action={
                previous && (
                  <Button
                    size="sm"
                    icon={<Undo2 className="size-3.5" aria-hidden="true" />}
                    busy={goingBack.busy}
                    onClick={() => void goingBack.act(key)}
                  >
                    {t(
                      isNewer(previous.packageVersion, plugin.packageVersion)
                        ? "versions.forward"
                        : "versions.rollback",
                      {
                        version: previous.packageVersion,
                      },
                    )}
                  </Button>
                )
              }
            >
              {goingBack.problem && <ProblemNote className="mb-3" problem={goingBack.problem} />}
              {plugin.previous.length === 0 ? (
                <EmptyState title={t("versions.none")} text={t("versions.noneText")} />
              ) : (
                <ul className="space-y-1">
                  {plugin.previous.map((version) => (
                    <li key={`${version.packageVersion} ${version.source.installedAt}`}>
                      <VersionLine
                        version={version.packageVersion}
                        at={version.source.installedAt}
                        note={t(
                          isNewer(version.packageVersion, plugin.packageVersion)
                            ? "versions.newer"
                            : "versions.older",
                        )}
                      />
                    </li>
                  ))}
                </ul>
              )}
            </Block>
          </div>
        )}
        <Block title={t("versions.remove")}>
          <p className="mb-3 text-sm text-pretty text-mute">
            {plugin ? t("versions.uninstallText") : t("versions.forgetText")}
          </p>
          <Button
            look="danger"
            icon={<Trash2 className="size-4" aria-hidden="true" />}
            onClick={() => setAsk(plugin ? "uninstall" : "forget")}
          >
            {plugin ? t("versions.uninstall") : t("versions.forget")}
          </Button>
        </Block>
      </div>
      <Confirm
        open={ask === "uninstall"}
        onClose={close}
        title={t("versions.uninstallTitle", { name })}
        consequences={[
          users.length > 0 ? t("versions.stopsFor", { agents: users.join(", ") }) : t("versions.nobodyUses"),
          t("versions.filesGo"),
          t("versions.rowsStay"),
        ]}
        verb={t("versions.uninstall")}
        danger
        run={async () => {
          await rpc.plugins.uninstall({ key });
          void navigate(homePath(agentId));
        }}
      />
      <Confirm
        open={ask === "forget"}
        onClose={close}
        title={t("versions.forgetTitle", { name })}
        consequences={[t("versions.forgetLoses"), t("versions.forgetOthers")]}
        verb={t("versions.forget")}
        danger
        run={async () => {
          await rpc.agentPlugins.forget({ agentId, key });
          void navigate(homePath(agentId));
        }}
      />
    </div>
  );
}

function useUserNames(plugin: PluginView | null): string[] {
  const agents = useMirror((state) => state.agents);
  return (plugin?.enabledFor ?? []).map((id) => agents.get(id)?.name ?? id);
}

/** Whether a version stands above another one; pre-releases are not told apart. */
function isNewer(version: string, other: string): boolean {
  return new Intl.Collator("en", { numeric: true }).compare(version, other) > 0;
}

interface VersionLineProps {
  version: string;
  at: string;
  note: string;
  current?: boolean;
}

function VersionLine({ version, at, note, current }: VersionLineProps) {
  const { t } = useTranslation();
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
      <span className="figure font-semibold">{version}</span>
      <span className="text-mute">{t("versions.installedOn", { date: formatMoment(at) })}</span>
      <span className={cx("text-xs font-medium", current ? "text-ok" : "text-mute")}>{note}</span>
    </p>
  );
}
