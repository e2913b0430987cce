import { Lock, LockOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../base/client/rpc.ts";
import { wallNoteLine } from "../../base/i18n/wall-note-line.ts";
import { useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { cx } from "../../ui/class-names.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { InstallCommand } from "./install-command.tsx";
import { WallGaps } from "./wall-gaps.tsx";

async function look() {
  useMirror.setState({ walls: await rpc.app.lookForWalls() });
}

async function decide(unwalled: boolean) {
  useMirror.setState({ settings: await rpc.app.updateSettings({ unwalled }) });
}

interface WallStatusProps {
  className?: string;
  banner?: boolean;
  /** Whether it stands above what one plugin was granted, or speaks of all plugins. */
  of?: "plugin" | "all";
}

/** Which wall stands on this computer; where none does, why, and the ways out of it. */
export function WallStatus({ className, banner, of = "plugin" }: WallStatusProps) {
  const { t } = useTranslation();
  const walls = useMirror((state) => state.walls);
  const unwalled = useMirror((state) => state.settings?.unwalled === true);
  const looking = useAction(look);
  const requiring = useAction(decide);
  const [asking, setAsking] = useState(false);
  const problem = looking.problem ?? requiring.problem;
  if (!walls) return null;
  if (walls.stands)
    return (
      <div className={cx("text-sm", className)}>
        <p className="flex items-start gap-2 text-mute">
          <Lock className="mt-0.5 size-4 shrink-0 text-ok" aria-hidden="true" />
          {t(of === "all" ? "walls.holdAll" : "walls.hold", { by: walls.by ?? "" })}
        </p>
        <WallGaps walls={walls} className="pl-6" />
      </div>
    );
  // The banner above every page says it already.
  if (!banner && !unwalled) return null;
  const words = !unwalled ? "walls.missing" : of === "all" ? "walls.unwalledAll" : "walls.unwalled";
  const why = [walls.notes.problem, walls.command ? null : walls.notes.help];
  return (
    <section
      role="status"
      className={cx(
        "border-warn/40 bg-warn-wash text-sm",
        banner ? "border-b page-x py-2.5" : "rounded-lg border px-4 py-3",
        className,
      )}
    >
      <div className="flex items-start gap-3">
        <LockOpen className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{t(words)}</p>
          <p className="mt-0.5 break-words text-mute">
            {why
              .flatMap((note) => note ?? [])
              .map((note) => wallNoteLine(note, t))
              .join(" ")}
          </p>
          <div className="mt-2 flex flex-wrap items-center gap-2">
            {walls.command && <InstallCommand command={walls.command} />}
            <Button size="sm" busy={looking.busy} onClick={() => void looking.act()}>
              {t("walls.look")}
            </Button>
            {unwalled ? (
              <Button size="sm" busy={requiring.busy} onClick={() => void requiring.act(false)}>
                {t("walls.require")}
              </Button>
            ) : (
              <Button size="sm" look="danger" onClick={() => setAsking(true)}>
                {t("walls.run")}
              </Button>
            )}
          </div>
          {problem && <ProblemNote className="mt-2" problem={problem} />}
        </div>
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t("walls.runTitle")}
        consequences={[t("walls.runFiles"), t("walls.runNetwork"), t("walls.runBack")]}
        verb={t("walls.runVerb")}
        danger
        run={() => decide(true)}
      />
    </section>
  );
}

/** Says on every screen that plugins do not start, until the person has decided. */
export function WallBanner() {
  const open = useMirror((state) => state.walls?.stands === false && state.settings?.unwalled !== true);
  return open ? <WallStatus banner /> : null;
}
