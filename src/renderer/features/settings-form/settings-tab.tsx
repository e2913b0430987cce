import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AgentPluginState } from "../../../contract/agent-plugin.ts";
import { isObject } from "../../../contract/is-object.ts";
import type { PluginView } from "../../../contract/plugin.ts";
import type { ShownProblem } from "../../base/client/problem.ts";
import { currentProblem, healthOf, tones } from "../../model/health.ts";
import { announce } from "../../ui/announce.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ChangeList } from "./change-list.tsx";
import { ConflictNote } from "./conflict-note.tsx";
import { SecretFields } from "./fields/secret-fields.tsx";
import { SchemaForm } from "./fields/theme.tsx";
import { RefusedNote } from "./refused-note.tsx";
import { SaveBar } from "./save-bar.tsx";
import { useSettingsForm } from "./use-settings-form.ts";
import { type Blocker, goToField, useBlockers } from "./values/blockers.ts";
import { useFieldErrors } from "./values/use-field-errors.ts";
import type { FoundError } from "./values/validator.ts";
import { type SettingsView, ViewSwitch } from "./view-switch.tsx";

/** Loaded only when it is opened: the editor is large, and few people use it. */
const JsonSettings = lazy(async () => ({ default: (await import("./json/json-settings.tsx")).JsonSettings }));

interface SettingsTabProps {
  agentId: string;
  plugin: PluginView;
  view: AgentPluginState | null;
}

/** The settings of a plugin for one agent. */
export function SettingsTab({ agentId, plugin, view: stored }: SettingsTabProps) {
  const { t } = useTranslation();
  const form = useSettingsForm(agentId, plugin, stored);
  const { model } = form;
  const row = { agentId, key: plugin.manifestKey, plugin, view: stored };
  const health = healthOf(row);
  const reason = currentProblem(row);
  const refused = !form.dirty && reason && isAboutSettings(reason.code) ? reason : null;
  const tried = form.edited ? null : form.refused;
  const shown = form.conflict ? null : (form.problem ?? tried ?? refused);
  const errors = useFieldErrors(shown, model.prefix);
  const submit = useRef<HTMLButtonElement>(null);
  const [wanted, setWanted] = useState<SettingsView>(form.broken === null ? "simple" : "json");
  // Text that is not valid JSON cannot be shown as a form, so it stays in the JSON view until it is corrected or
  // discarded.
  const view = model.schema === null || form.broken !== null ? "json" : wanted;
  const nothing = view === "simple" && model.schema !== null && !hasFields(model.schema);
  const [stuck, setStuck] = useState(false);
  const change = (next: SettingsView) => {
    const blocked = next === "simple" && form.broken !== null;
    setStuck(blocked);
    if (!blocked) setWanted(next);
  };

  const blocked = useBlockers(form, stored?.secretsSet ?? {});
  const save = () => (form.refused && !form.edited ? void form.retry() : submit.current?.click());
  // The editor finds its own first mistake when it is asked to save; a field of the form is looked for by its name.
  const go = (blocker: Blocker) => {
    if (view === "simple" || blocker.secret) goToField(blocker);
    else submit.current?.click();
  };

  return (
    <div className="page-x pt-5 pb-24">
      <div className="max-w-[860px]">
        <div className="space-y-4">
          {form.conflict && (
            <ConflictNote
              conflict={form.conflict}
              onKeepMine={(revision) => void form.save({ revision })}
              onTakeTheirs={form.drop}
            />
          )}
          {form.refused && !form.conflict && !form.problem && (
            <RefusedNote
              problem={form.refused}
              running={tones[health] === "ok" || tones[health] === "warn"}
              busy={form.state === "saving"}
              onBack={() => void form.goBack()}
              onRetry={() => void form.retry()}
            />
          )}
          {shown && shown !== form.refused && (
            <ProblemNote
              problem={shown}
              tone={tones[health] === "warn" && shown === refused ? "warn" : "bad"}
            />
          )}
          {model.secrets.length > 0 && (
            <SecretFields
              secrets={model.secrets}
              stored={stored?.secretsSet ?? {}}
              values={form.secrets}
              errors={errors.byKey}
              onChange={form.setSecrets}
            />
          )}
          {model.schema !== null && !(nothing && Object.keys(form.config).length === 0) && (
            <ViewSwitch view={view} onChange={change} />
          )}
          {stuck && form.broken !== null && (
            <p role="alert" className="text-sm font-medium text-bad">
              {t("view.stuck")}
            </p>
          )}
          {view === "json" || model.schema === null ? (
            <Suspense fallback={<Spinner className="m-8 text-mute" />}>
              <JsonSettings
                config={form.config}
                written={form.written}
                text={form.broken}
                model={model}
                refused={form.dirty && !form.problem ? none : errors.list}
                onChange={form.setConfig}
                onBrokenText={form.setBroken}
                onSubmit={() => void form.save()}
                submit={submit}
              />
            </Suspense>
          ) : (
            <SchemaForm
              className={nothing ? "hidden" : "rounded-lg border border-line bg-surface px-5"}
              idPrefix="setting"
              schema={model.schema}
              uiSchema={model.uiSchema}
              formData={form.value}
              formContext={{ settings: form.value }}
              extraErrors={errors.schema}
              onChange={({ formData }, id) => {
                // The form also reports the defaults that it fills in by itself (`id` is undefined then). Only changes
                // by the person count.
                if (id !== undefined && isObject(formData)) form.setValue(formData);
              }}
              onSubmit={({ formData }) => void form.save(isObject(formData) ? { shown: formData } : {})}
              onError={() => announce(t("settings.errorsAtFields"))}
            >
              <button ref={submit} type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
            </SchemaForm>
          )}
          {nothing && (
            <p className="text-sm text-mute">
              {t(model.secrets.length > 0 ? "settings.nothingElse" : "settings.nothing")}
            </p>
          )}
        </div>
        {form.dirty && (
          <div className="mt-5 px-1">
            <ChangeList
              changes={form.changes}
              secrets={form.secrets}
              stored={stored?.secretsSet ?? {}}
              keys={model.secrets}
              schema={model.schema}
              prefix={model.prefix}
            />
          </div>
        )}
        <SaveBar
          form={form}
          health={health}
          reason={reason}
          blocked={blocked}
          canSave={(form.dirty && form.broken === null) || form.refused !== null}
          onSave={save}
          onGo={go}
        />
      </div>
    </div>
  );
}

/** Whether a form of this schema shows any field. Secrets stand above it, and are none of its fields. */
function hasFields(schema: Record<string, unknown>): boolean {
  if (isObject(schema.properties) && Object.keys(schema.properties).length > 0) return true;
  return fieldMakers.some((name) => schema[name] !== undefined && schema[name] !== false);
}

const fieldMakers = ["additionalProperties", "patternProperties", "$ref", "allOf", "anyOf", "oneOf", "if"];

function isAboutSettings(code: ShownProblem["code"]): boolean {
  return (
    code === "CONFIG_REFUSED" ||
    code === "CONFIG_INVALID" ||
    code === "MISSING_SECRET" ||
    code === "NEEDS_SETUP"
  );
}

const none: FoundError[] = [];
