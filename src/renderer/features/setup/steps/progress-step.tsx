import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RuntimeId } from "../../../../contract/plugin.ts";
import type { SetupStep } from "../../../../contract/setup.ts";
import { useMirror } from "../../../store/mirror.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { CancelButton } from "../parts/cancel-button.tsx";
import { SetupDrawing } from "../parts/setup-drawing.tsx";
import { StepFrame } from "../parts/step-frame.tsx";

export type Doing = Extract<SetupStep, { kind: "progress" }>["doing"];

interface ProgressStepProps {
  doing: Doing;
  pluginKey: string;
  name: string;
  onLeave(): void;
}

/** After this many milliseconds the step says that the plugin takes its time. */
const slowMs = 6_000;

/** Something goes on; a cable is being drawn. */
export function ProgressStep({ doing, pluginKey, name, onLeave }: ProgressStepProps) {
  const { t } = useTranslation();
  const runtime: RuntimeId = useMirror((state) => state.plugins.get(pluginKey)?.runtime ?? "native");
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, []);
  const kept = doing === "saving" || doing === "starting";
  return (
    <StepFrame
      title={t(`setup.doing.${doing}`, { name })}
      text={t(kept ? "setup.doingKept" : "setup.doingNothingKept")}
      status={slow ? t("setup.slow", { name }) : null}
      buttons={
        kept ? <Button onClick={onLeave}>{t("common.close")}</Button> : <CancelButton onLeave={onLeave} />
      }
    >
      <div className="grid place-items-center rounded-lg bg-sunk py-14">
        <SetupDrawing health="starting" runtime={runtime} pluginKey={pluginKey} />
      </div>
    </StepFrame>
  );
}
