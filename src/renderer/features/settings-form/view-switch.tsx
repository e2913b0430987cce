import { useTranslation } from "react-i18next";
import { Segments } from "../../ui/controls/segments.tsx";

export type SettingsView = "simple" | "json";

interface ViewSwitchProps {
  view: SettingsView;
  onChange(view: SettingsView): void;
}

/** The same settings as a form or as text. */
export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  const { t } = useTranslation();
  const options = (["simple", "json"] as const).map((value) => ({ value, label: t(`view.${value}`) }));
  return (
    <fieldset className="flex justify-end">
      <legend className="sr-only">{t("view.label")}</legend>
      <Segments size="sm" value={view} options={options} onChange={onChange} />
    </fieldset>
  );
}
