import { Lock, LockOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMirror } from "../../store/mirror.ts";
import { WallGaps } from "./wall-gaps.tsx";

/** One line below what a plugin asks for: whether something holds it to that on this computer. */
export function WallLine({ enforced }: { enforced: boolean }) {
  const { t } = useTranslation();
  const walls = useMirror((state) => state.walls);
  if (!walls) return null;
  // What a plugin system enforces by itself holds without walls, too; and not every one is behind those that stand.
  const words = () => {
    if (!enforced) return t("walls.consent");
    return walls.stands ? t("walls.consentHeld", { by: walls.by ?? "" }) : t("walls.consentSelf");
  };
  return (
    <div className="text-sm">
      <p className="flex items-start gap-2.5">
        {enforced ? (
          <Lock className="mt-0.5 size-4 shrink-0 text-ok" aria-hidden="true" />
        ) : (
          <LockOpen className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
        )}
        <span className={enforced ? "text-mute" : "font-medium text-warn"}>{words()}</span>
      </p>
      <WallGaps walls={walls} className="pl-6.5" />
    </div>
  );
}
