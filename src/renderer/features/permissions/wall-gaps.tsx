import { useTranslation } from "react-i18next";
import type { WallReport } from "../../../contract/index.ts";
import { wallNoteLine } from "../../base/i18n/wall-note-line.ts";
import { cx } from "../../ui/class-names.ts";

interface WallGapsProps {
  walls: Pick<WallReport, "notes">;
  /** How far it stands in from the left, below the words of the line above. */
  className: string;
}

/** What the walls of this computer leave open, and what cannot be seen there; nothing where that is nothing. */
export function WallGaps({ walls: { notes }, className }: WallGapsProps) {
  const { t } = useTranslation();
  const { gaps, unseen } = notes;
  if (gaps.length === 0 && unseen === null) return null;
  return (
    <div className={cx("mt-1", className)}>
      {gaps.length > 0 && (
        <>
          <p className="font-medium text-warn">{t("walls.gaps")}</p>
          <ul className="mt-0.5 list-disc space-y-0.5 pl-4 text-mute">
            {gaps.map((gap) => (
              <li key={gap.code}>{wallNoteLine(gap, t)}</li>
            ))}
          </ul>
        </>
      )}
      {unseen !== null && (
        <>
          <p className="font-medium text-warn">{t("walls.unseen")}</p>
          <p className="mt-0.5 text-mute">{wallNoteLine(unseen, t)}</p>
        </>
      )}
    </div>
  );
}
