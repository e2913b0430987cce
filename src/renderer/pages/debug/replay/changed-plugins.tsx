import { useTranslation } from "react-i18next";
import { Chip } from "../../../ui/controls/chip.tsx";

interface ChangedPluginsProps {
  owners: readonly string[];
  /** The chosen plugins: null is left out, otherwise the version that is asked. */
  changed: ReadonlyMap<string, string | null>;
  nameOf(key: string): string;
  versionsOf(key: string): readonly string[];
  onChange(changed: ReadonlyMap<string, string | null>): void;
}

/** Which plugins are left out, or asked at another version that is kept. */
export function ChangedPlugins({ owners, changed, nameOf, versionsOf, onChange }: ChangedPluginsProps) {
  const { t } = useTranslation();
  const hasVersions = owners.some((key) => versionsOf(key).length > 0);
  const toggle = (key: string) => {
    const next = new Map(changed);
    if (!next.delete(key)) next.set(key, null);
    onChange(next);
  };
  return (
    <fieldset className="mt-3 flex flex-wrap items-center gap-1.5">
      <legend className="float-left mr-2 text-xs font-medium text-mute">
        {t(hasVersions ? "replay.withoutOrVersion" : "replay.without")}
      </legend>
      {owners.map((key) => (
        <span key={key} className="flex items-center gap-1">
          <Chip on={changed.has(key)} onPress={() => toggle(key)}>
            {nameOf(key)}
          </Chip>
          {changed.has(key) && versionsOf(key).length > 0 && (
            <select
              aria-label={t("replay.versionOf", { plugin: nameOf(key) })}
              className="field h-7 py-0 text-xs"
              value={changed.get(key) ?? ""}
              onChange={({ target }) => onChange(new Map(changed).set(key, target.value || null))}
            >
              <option value="">{t("replay.leftOut")}</option>
              {versionsOf(key).map((version) => (
                <option key={version} value={version}>
                  {t("replay.asVersion", { version })}
                </option>
              ))}
            </select>
          )}
        </span>
      ))}
    </fieldset>
  );
}
