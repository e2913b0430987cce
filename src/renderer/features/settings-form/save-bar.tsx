import { CircleAlert, CircleCheck, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ShownProblem } from "../../base/client/problem.ts";
import { problemLine } from "../../base/i18n/problem-words.ts";
import type { Health } from "../../model/health.ts";
import { Button, IconButton } from "../../ui/controls/button.tsx";
import { StateMark } from "../../ui/state-mark.tsx";
import type { SettingsForm } from "./use-settings-form.ts";
import type { Blocker } from "./values/blockers.ts";

interface SaveBarProps {
  form: SettingsForm;
  health: Health;
  reason: ShownProblem | null;
  /** What keeps these settings from being saved or from working, the first first. */
  blocked: Blocker[];
  canSave: boolean;
  onSave(): void;
  onGo(blocker: Blocker): void;
}

/** One line at every width: how it stands, or what is in the way and the way to it, and the two buttons. */
export function SaveBar({ form, health, reason, blocked, canSave, onSave, onGo }: SaveBarProps) {
  const { t } = useTranslation();
  const [first] = blocked;
  const said = saidOf();
  const isSaved = form.state === "saved" && !form.dirty && !reason;

  function saidOf(): string {
    // What is switched on is started with the settings before the save is over.
    if (form.state === "saving") return t(health === "off" ? "settings.saving" : "settings.checking");
    if (form.dirty) return t("settings.unsaved");
    if (reason) return problemLine(reason);
    return t(form.state === "saved" ? "settings.saved" : "settings.upToDate");
  }

  return (
    <section
      aria-label={t("settings.bar")}
      className="@container sticky bottom-4 z-10 mt-5 rounded-lg border border-line bg-raised shadow-high"
    >
      <div className="flex h-13 items-center gap-3 px-4">
        <div aria-live="polite" className="flex min-w-0 flex-1 items-center gap-3 text-sm">
          <StateMark health={health} className="@max-xl:hidden" />
          {first ? (
            <button
              type="button"
              className="flex min-w-0 items-center gap-1.5 rounded-sm text-left font-medium text-bad"
              title={first.said}
              // The field that is left would show its error and move this line away from under the pointer.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onGo(first)}
            >
              <CircleAlert className="size-4 shrink-0" aria-hidden="true" />
              <span className="truncate underline decoration-bad/40 underline-offset-2">{first.said}</span>
              {blocked.length > 1 && (
                <span className="shrink-0 font-normal @max-md:hidden">
                  {t("changes.more", { count: blocked.length - 1 })}
                </span>
              )}
            </button>
          ) : (
            <span className="truncate text-mute" title={said}>
              {said}
            </span>
          )}
          {isSaved && !first && <CircleCheck className="size-4 shrink-0 text-ok" aria-hidden="true" />}
        </div>
        <div className="shrink-0 @max-lg:hidden">
          <Button look="quiet" disabled={!form.dirty} onClick={() => void form.goBack()}>
            {t("settings.discard")}
          </Button>
        </div>
        <div className="shrink-0 @lg:hidden">
          <IconButton label={t("settings.discard")} disabled={!form.dirty} onClick={() => void form.goBack()}>
            <Undo2 className="size-4" aria-hidden="true" />
          </IconButton>
        </div>
        <Button
          look="accent"
          ahead
          className="shrink-0"
          disabled={!canSave}
          busy={form.state === "saving"}
          onClick={onSave}
        >
          {t("settings.save")}
        </Button>
      </div>
    </section>
  );
}
