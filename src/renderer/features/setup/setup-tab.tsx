import { KeyRound, PlugZap } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../base/client/rpc.ts";
import { sayOf } from "../../base/i18n/plugin-words.ts";
import { formatMoment, useNow } from "../../base/i18n/time.ts";
import { finishedSetup } from "../../model/finished-setup.ts";
import { healthOf } from "../../model/health.ts";
import { displayName, type Row } from "../../model/rows.ts";
import { runtimeValues } from "../../model/runtime-values.ts";
import { putRow, useMirror } from "../../store/mirror.ts";
import { openWizard } from "../../store/wizard-panel.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { StateMark } from "../../ui/state-mark.tsx";
import { Block } from "../../ui/well.tsx";
import { SetupDrawing } from "./parts/setup-drawing.tsx";
import { useSetupIsOpen } from "./use-setup-is-open.ts";

/** How a plugin is set up for one agent, and the ways into its setup. */
export function SetupTab({ row }: { row: Row }) {
  const { t } = useTranslation();
  const { agentId, key } = row;
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const open = useSetupIsOpen(agentId, key);
  const finished = finishedSetup(row.view);
  const name = displayName(row);
  const health = healthOf(row);
  const title = open
    ? t("setup.tab.open")
    : finished
      ? t("setup.tab.done", { agent })
      : t("setup.tab.never", { agent });
  const account = useAccount(row) ?? finished?.account ?? null;

  return (
    <div className="page-x py-5">
      <div className="max-w-[860px] space-y-4">
        <section className="rounded-lg border border-line bg-surface shadow-card">
          <div className="grid place-items-center rounded-t-lg border-b border-line bg-sunk px-6 py-9">
            <SetupDrawing health={health} runtime={row.plugin?.runtime ?? "native"} pluginKey={key} />
          </div>
          <div className="flex flex-wrap items-start gap-4 px-6 py-5">
            <div className="min-w-[240px] flex-1">
              <h2 className="text-lg font-semibold">{title}</h2>
              {open ? (
                <p className="mt-0.5 text-mute">{t("setup.tab.openText")}</p>
              ) : finished ? (
                <p className="mt-0.5 text-mute">
                  {account && <span className="text-ink">{t("setup.tab.doneAs", { account })} · </span>}
                  {t("setup.tab.at", { at: formatMoment(finished.at) })}
                </p>
              ) : (
                <p className="mt-0.5 text-mute">{t("setup.tab.neverText")}</p>
              )}
              <StateMark health={health} className="mt-3" />
            </div>
            <Button
              look={finished && !open ? "plain" : "accent"}
              icon={<PlugZap className="size-4" aria-hidden="true" />}
              onClick={() => void openWizard(agentId, key)}
            >
              {t(open ? "step.continueSetup" : finished ? "setup.tab.again" : "step.setup")}
            </Button>
          </div>
          {finished && !open && (
            <p className="border-t border-line px-6 py-3 text-sm text-mute">
              {t("setup.tab.againText", { name })}
            </p>
          )}
        </section>
        {finished?.signedIn && <SignInBlock row={row} name={name} open={open} />}
      </div>
    </div>
  );
}

/** Who a running plugin says that it is. */
function useAccount(row: Row): string | null {
  const now = useNow(60_000);
  if (healthOf(row) !== "running") return null;
  const values = runtimeValues(row.view?.runtimeState ?? {}, now, sayOf(row.plugin?.declaration.words));
  return values.find(({ key }) => key === "account")?.text ?? null;
}

function SignInBlock({ row, name, open }: { row: Row; name: string; open: boolean }) {
  const { t } = useTranslation();
  const { agentId, key } = row;
  const [asking, setAsking] = useState(false);
  return (
    <Block title={t("setup.tab.signIn")}>
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-[240px] flex-1 text-sm text-mute">{t("setup.tab.signInText")}</p>
        <Button
          disabled={open}
          icon={<KeyRound className="size-3.5" aria-hidden="true" />}
          onClick={() => void openWizard(agentId, key, { reason: "sign_in_again" })}
        >
          {t("step.signInAgain")}
        </Button>
        <Button look="danger" onClick={() => setAsking(true)}>
          {t("setup.tab.signOut")}
        </Button>
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t("setup.tab.signOutTitle", { name })}
        consequences={[
          t("setup.tab.signOutOff", { name }),
          t("setup.tab.signOutGone"),
          t("setup.tab.signOutKeeps"),
        ]}
        verb={t("setup.tab.signOut")}
        danger
        run={async () => putRow(await rpc.setup.signOut({ agentId, key }))}
      />
    </Block>
  );
}
