import type { SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Settings, SettingsPatch } from "../../../contract/settings.ts";
import { useKept } from "../../store/kept.ts";
import { useMirror } from "../../store/mirror.ts";
import { saveSettings } from "../../store/save-settings.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block } from "../../ui/well.tsx";
import {
  draftOfLimits,
  type LimitDraft,
  type LimitName,
  limitFields,
  memoryFields,
  readLimit,
  timeFields,
} from "./limit-fields.ts";

export function LimitsSection() {
  const settings = useMirror((state) => state.settings);
  return settings && <LimitsForm settings={settings} />;
}

function LimitsForm({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const before = draftOfLimits(settings);
  // Only fields that the person touched; the others follow the stored settings.
  const [touched, setTouched, forget] = useKept<Partial<LimitDraft>>("limits", () => ({}));
  const draft: LimitDraft = { ...before, ...touched };
  const save = useAction(saveSettings);
  const changed = limitFields.filter(({ name }) => draft[name] !== before[name]);
  const bad = limitFields.some((field) => !readLimit(field, draft[field.name]).ok);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (bad || changed.length === 0) return;
    if (await save.act({ ...patchOf(changed, draft), revision: settings.revision })) forget();
  };
  const group = {
    draft,
    onChange: (name: LimitName, value: string) => setTouched({ ...touched, [name]: value }),
  };
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <Block title={t("limits.time")}>
        <LimitGroup fields={timeFields} {...group} />
      </Block>
      <Block title={t("limits.memory")}>
        <LimitGroup fields={memoryFields} {...group} />
      </Block>
      {save.problem && <ProblemNote problem={save.problem} />}
      <div className="flex gap-2">
        <Button
          onClick={() =>
            setTouched(Object.fromEntries(limitFields.map((field) => [field.name, String(field.usual)])))
          }
        >
          {t("limits.reset")}
        </Button>
        <Button className="ml-auto" disabled={changed.length === 0} onClick={forget}>
          {t("prefs.discard")}
        </Button>
        <Button look="accent" type="submit" disabled={changed.length === 0 || bad} busy={save.busy}>
          {t("prefs.save")}
        </Button>
      </div>
    </form>
  );
}

interface LimitGroupProps {
  fields: typeof limitFields;
  draft: LimitDraft;
  onChange(name: LimitName, value: string): void;
}

function LimitGroup({ fields, draft, onChange }: LimitGroupProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-x-6 gap-y-4 @lg:grid-cols-2">
      {fields.map((field) => {
        const read = readLimit(field, draft[field.name]);
        const unit = t(`limits.${field.unit}`);
        const inUnit = (value: number) => `${value} ${unit}`;
        const error = read.ok
          ? undefined
          : read.why === "least"
            ? t("limits.least", { value: inUnit(field.least) })
            : t("limits.notNumber");
        return (
          <Field
            key={field.name}
            label={t(`limits.${field.name}`)}
            help={t("limits.usual", { value: inUnit(field.usual) })}
            error={error}
          >
            {(props) => (
              <div className="flex items-center gap-2.5">
                <input
                  {...props}
                  inputMode="decimal"
                  className="field h-8 w-28 text-right font-mono text-sm"
                  value={draft[field.name]}
                  onChange={(event) => onChange(field.name, event.target.value)}
                />
                <span className="text-sm text-mute">{unit}</span>
              </div>
            )}
          </Field>
        );
      })}
    </div>
  );
}

/** Only called with a draft that can be read. */
function patchOf(changed: typeof limitFields, draft: LimitDraft): SettingsPatch {
  const values = Object.fromEntries(
    changed.flatMap((field) => {
      const read = readLimit(field, draft[field.name]);
      return read.ok ? [[field.name, read.value]] : [];
    }),
  );
  const { hostMemoryMb, ...limits } = values;
  return { limits, ...(hostMemoryMb !== undefined && { hostMemoryMb }) };
}
