import { useTranslation } from "react-i18next";

/** What the walls of this computer leave open; nothing where they leave nothing open. */
export function WallGaps({ gaps }: { gaps: readonly string[] }) {
  const { t } = useTranslation();
  if (gaps.length === 0) return null;
  return (
    <div className="mt-1 pl-6">
      <p className="font-medium text-warn">{t("walls.gaps")}</p>
      <ul lang="en" className="mt-0.5 list-disc space-y-0.5 pl-4 text-mute">
        {gaps.map((gap) => (
          <li key={gap}>{gap}</li>
        ))}
      </ul>
    </div>
  );
}
