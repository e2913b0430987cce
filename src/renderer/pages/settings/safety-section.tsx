import { useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../base/client/rpc.ts";
import { WallStatus } from "../../features/permissions/wall-status.tsx";
import { leaveSafeMode } from "../../features/safety/hold-banner.tsx";
import { useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block } from "../../ui/well.tsx";
import { PluginSearchBlock } from "./plugin-search.tsx";
import { ScreensBlock } from "./screens-block.tsx";

/** What to do when something is wrong and it is not clear which plugin it comes from. */
export function SafetySection() {
  return (
    <div className="space-y-4">
      <PluginSearchBlock />
      <SafeMode />
      <Walls />
      <ScreensBlock />
    </div>
  );
}

function Walls() {
  const { t } = useTranslation();
  const stands = useMirror((state) => state.walls?.stands);
  const unwalled = useMirror((state) => state.settings?.unwalled === true);
  // Where nothing stands and nothing is decided, the banner says so, with the ways out.
  if (stands === false && !unwalled) return null;
  return (
    <Block title={t("walls.title")}>
      {stands === false && <p className="mb-3 text-sm text-mute">{t("walls.noneText")}</p>}
      <WallStatus of="all" />
    </Block>
  );
}

function SafeMode() {
  const { t } = useTranslation();
  const safeMode = useMirror((state) => state.holds?.safeMode);
  const [asking, setAsking] = useState(false);
  const leave = useAction(leaveSafeMode);
  return (
    <Block title={t("safety.safeMode")}>
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1 text-sm">
          <p className="font-medium">{safeMode ? t(`safety.on.${safeMode.reason}`) : t("safety.off")}</p>
          <p className="mt-0.5 text-mute">{safeMode ? t("safety.onText") : t("safety.offText")}</p>
          <p className="mt-1.5 text-mute">{t("safety.startHint", { command: "patchbay serve --safe" })}</p>
        </div>
        {safeMode ? (
          <Button busy={leave.busy} onClick={() => void leave.act()}>
            {t("safety.leave")}
          </Button>
        ) : (
          <Button onClick={() => setAsking(true)}>{t("safety.enter")}</Button>
        )}
      </div>
      {leave.problem && <ProblemNote className="mt-3" problem={leave.problem} />}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t("safety.enterTitle")}
        consequences={[t("safety.enterStops"), t("safety.enterKeeps")]}
        verb={t("safety.enter")}
        danger
        run={async () => {
          useMirror.setState({ holds: await rpc.holds.enterSafeMode() });
        }}
      />
    </Block>
  );
}
