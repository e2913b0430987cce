import { useTranslation } from "react-i18next";
import { cx } from "../../ui/class-names.ts";

export type SettingsView = "simple" | "json";

interface ViewSwitchProps {
  view: SettingsView;
  onChange(view: SettingsView): void;
}

/** The same settings as a form or as text. */
export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="flex justify-end">
      <legend className="sr-only">{t("view.label")}</legend>
      <div className="flex rounded-md border border-line bg-sunk p-0.5">
        {(["simple", "json"] as const).map((choice) => (
          <label
            key={choice}
            className={cx(
              "relative cursor-pointer rounded px-3 py-1 text-xs font-medium",
              "has-focus-visible:outline-2 has-focus-visible:outline-focus",
              view === choice ? "bg-raised text-ink shadow-sm" : "text-mute hover:text-ink",
            )}
          >
            <input
              type="radio"
              name="settings-view"
              className="absolute inset-0 size-full cursor-pointer opacity-0"
              checked={view === choice}
              onChange={() => onChange(choice)}
            />
            {t(`view.${choice}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
