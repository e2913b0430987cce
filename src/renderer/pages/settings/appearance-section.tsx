import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Settings } from "../../../contract/settings.ts";
import { languageChoices } from "../../store/language.ts";
import { useMirror } from "../../store/mirror.ts";
import { saveSettings } from "../../store/save-settings.ts";
import { useAction } from "../../ui/action.ts";
import { cx } from "../../ui/class-names.ts";
import { Field } from "../../ui/controls/field.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

const themes: { value: Settings["theme"]; icon: typeof Sun }[] = [
  { value: "system", icon: Monitor },
  { value: "light", icon: Sun },
  { value: "dark", icon: Moon },
];

export function AppearanceSection() {
  const { t } = useTranslation();
  const settings = useMirror((state) => state.settings);
  const save = useAction(saveSettings);
  if (!settings) return null;
  return (
    <div className="space-y-6">
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{t("appearance.theme")}</legend>
        <div className="grid max-w-[480px] grid-cols-3 gap-2.5">
          {themes.map(({ value, icon: Icon }) => (
            <label
              key={value}
              className={cx(
                "flex cursor-pointer flex-col items-center gap-2 rounded-lg border bg-surface px-3 py-4 text-sm font-medium has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-focus",
                settings.theme === value ? "border-accent text-ink" : "border-line text-mute hover:text-ink",
              )}
            >
              <input
                type="radio"
                name="theme"
                className="sr-only"
                checked={settings.theme === value}
                onChange={() => void save.act({ theme: value })}
              />
              <Icon className="size-5" aria-hidden="true" />
              {t(`theme.${value}`)}
            </label>
          ))}
        </div>
      </fieldset>
      <Field label={t("appearance.language")} help={t("appearance.languageHelp")} className="max-w-[480px]">
        {(props) => (
          <select
            {...props}
            className="field"
            value={settings.language}
            onChange={(event) => {
              const language = languageChoices.find((known) => known === event.target.value);
              if (language) void save.act({ language });
            }}
          >
            {languageChoices.map((choice) => (
              <option key={choice} value={choice} lang={choice === "system" ? undefined : choice}>
                {t(`language.${choice}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {save.problem && <ProblemNote problem={save.problem} />}
    </div>
  );
}
