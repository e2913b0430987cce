import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isObject } from "../../../../contract/is-object.ts";
import type { PluginView } from "../../../../contract/plugin.ts";
import type { SetupStep } from "../../../../contract/setup.ts";
import { rowId, useMirror } from "../../../store/mirror.ts";
import { rememberSettings, useWizardPanel } from "../../../store/wizard-panel.ts";
import { announce } from "../../../ui/announce.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import {
  type Config,
  formModel,
  SchemaForm,
  SecretFields,
  useFieldErrors,
  valueIn,
  withValueIn,
} from "../../settings-form/public.ts";
import { CancelButton } from "../parts/cancel-button.tsx";
import { StepFrame } from "../parts/step-frame.tsx";
import type { StepProps } from "../parts/step-props.ts";

type SettingsStepData = Extract<SetupStep, { kind: "settings" }>;

/** A plugin without a setup of its own: its settings and secrets as one form. */
export function SettingsStep(props: StepProps<SettingsStepData>) {
  const plugin = useMirror((state) => state.plugins.get(props.pluginKey));
  return plugin ? <SettingsPage {...props} plugin={plugin} /> : null;
}

function SettingsPage({
  step,
  wizard,
  name,
  agentId,
  plugin,
  onLeave,
}: StepProps<SettingsStepData> & { plugin: PluginView }) {
  const { t } = useTranslation();
  const stored = useMirror((state) => state.agentPlugins.get(rowId(agentId, plugin.manifestKey))?.secretsSet);
  const [model] = useState(() => formModel(plugin));
  const draft = useWizardPanel((state) => state.settings) ?? { config: step.config, secrets: {} };
  const [tried, setTried] = useState(false);
  const submit = useRef<HTMLButtonElement>(null);
  const errors = useFieldErrors(wizard.problem, model.prefix);
  const { schema } = model;
  const hasFields = schema !== null && Object.keys(schema.properties ?? {}).length > 0;

  const missing = model.secrets.filter(
    ({ key, optional }) => !optional && !draft.secrets[key] && (draft.secrets[key] === "" || !stored?.[key]),
  );
  const save = (shown: Config | null) => {
    setTried(true);
    if (missing.length > 0) return announce(t("setup.fieldsMissing"));
    const config = shown ? withValueIn(draft.config, model.prefix, shown) : draft.config;
    rememberSettings({ ...draft, config });
    void wizard.answer({
      kind: "settings",
      config,
      ...(Object.keys(draft.secrets).length > 0 && { secrets: draft.secrets }),
    });
  };
  const needed = tried ? Object.fromEntries(missing.map(({ key }) => [key, t("field.needed")])) : {};

  return (
    <StepFrame
      title={step.title ?? t("setup.title.settings", { name })}
      text={step.instructions ?? t("setup.settingsText", { name })}
      problem={wizard.problem}
      buttons={
        <>
          <CancelButton onLeave={onLeave} />
          <Button
            look="accent"
            busy={wizard.busy}
            onClick={() => (hasFields ? submit.current?.click() : save(null))}
          >
            {t("setup.finish")}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        {model.secrets.length > 0 && (
          <SecretFields
            secrets={model.secrets}
            stored={stored ?? {}}
            values={draft.secrets}
            errors={{ ...errors.byKey, ...needed }}
            onChange={(secrets) => rememberSettings({ ...draft, secrets })}
          />
        )}
        {hasFields && (
          <SchemaForm
            className="rounded-lg border border-line bg-surface px-5"
            idPrefix="setup"
            schema={schema}
            uiSchema={model.uiSchema}
            formData={valueIn(draft.config, model.prefix)}
            formContext={{ settings: valueIn(draft.config, model.prefix) }}
            extraErrors={errors.schema}
            onChange={({ formData }, id) => {
              if (id !== undefined && isObject(formData))
                rememberSettings({ ...draft, config: withValueIn(draft.config, model.prefix, formData) });
            }}
            onSubmit={({ formData }) => save(isObject(formData) ? formData : null)}
            onError={() => {
              setTried(true);
              announce(t("settings.errorsAtFields"));
            }}
          >
            <button ref={submit} type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
          </SchemaForm>
        )}
      </div>
    </StepFrame>
  );
}
