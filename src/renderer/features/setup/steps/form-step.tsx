import { Eye, EyeOff } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SetupField, SetupStep } from "../../../../contract/setup.ts";
import { fieldErrors } from "../../../base/client/problem.ts";
import { rememberTyped, useWizardPanel } from "../../../store/wizard-panel.ts";
import { announce } from "../../../ui/announce.tsx";
import { Button, IconButton } from "../../../ui/controls/button.tsx";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { Switch } from "../../../ui/controls/switch.tsx";
import { CancelButton } from "../parts/cancel-button.tsx";
import { Choices } from "../parts/choices.tsx";
import { OneChoice } from "../parts/one-choice.tsx";
import { ownWords } from "../parts/own-words.ts";
import { PageLink } from "../parts/page-link.tsx";
import { StepFrame } from "../parts/step-frame.tsx";
import type { StepProps } from "../parts/step-props.ts";

type FormStepData = Extract<SetupStep, { kind: "form" }>;

/** What the plugin asks for. */
export function FormStep({ step, wizard, name, onLeave }: StepProps<FormStepData>) {
  const { t } = useTranslation();
  const [values, setValues] = useState<Record<string, string>>(() => ({
    ...Object.fromEntries(step.fields.map((field) => [field.key, field.default ?? ""])),
    ...useWizardPanel.getState().typed,
  }));
  const [missing, setMissing] = useState<readonly string[]>([]);
  const refused = wizard.problem;
  const errors = new Map(refused ? fieldErrors(refused).map(({ path, message }) => [path, message]) : []);
  const atFields = step.fields.some(({ key }) => errors.has(key));

  const type = (field: SetupField, text: string) => {
    setValues({ ...values, [field.key]: text });
    setMissing(missing.filter((key) => key !== field.key));
    if (field.type !== "password") rememberTyped(field.key, text);
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const empty = step.fields.filter(({ key, required }) => required && !values[key]?.trim());
    setMissing(empty.map(({ key }) => key));
    const [first] = empty;
    if (first) {
      announce(t("setup.fieldsMissing"));
      const control = event.currentTarget.elements.namedItem(first.key);
      if (control instanceof HTMLElement) control.focus();
      return;
    }
    const asked = step.fields.map((field) => [field.key, offeredOf(field, values[field.key] ?? "")] as const);
    void wizard.answer({
      kind: "values",
      values: Object.fromEntries(asked.filter(([, text]) => text !== "")),
    });
  };

  const [plain, advanced] = [false, true].map((folded) =>
    step.fields.filter((field) => isFolded(field) === folded),
  ) as [SetupField[], SetupField[]];
  // What was typed or refused is not hidden. It is decided once, so that nothing folds while somebody types.
  const [typedBefore] = useState(() => advanced.some(({ key }) => values[key]));
  const opened = typedBefore || advanced.some(({ key }) => errors.has(key)) || undefined;
  const words = ownWords(t, step.about);
  const control = (field: SetupField) => (
    <Field
      key={field.key}
      label={words.labels?.[field.key] ?? field.label}
      help={words.help?.[field.key] ?? field.help}
      optional={field.required !== true && field.default === undefined && !isFolded(field)}
      error={missing.includes(field.key) ? t("field.needed") : errors.get(field.key)}
    >
      {(props) => (
        <SetupInput
          control={props}
          field={field}
          value={values[field.key] ?? ""}
          onChange={(text) => type(field, text)}
        />
      )}
    </Field>
  );

  return (
    <StepFrame
      title={words.title ?? step.title ?? t("setup.title.form", { name })}
      text={words.text ?? step.instructions}
      problem={atFields ? null : refused}
      buttons={
        <>
          <CancelButton onLeave={onLeave} />
          <Button look="accent" type="submit" form="setup-form" busy={wizard.busy}>
            {t("setup.continue")}
          </Button>
        </>
      }
    >
      <TakeAlong step={step} copyLabel={words.labels?.copy} problem={words.problem ?? step.problem} />
      <form id="setup-form" noValidate onSubmit={submit} className="max-w-[440px] space-y-4">
        {plain.map(control)}
        {advanced.length > 0 && (
          <details open={opened} className="rounded-lg border border-line px-4 py-3">
            <summary className="w-fit rounded-sm text-sm font-semibold text-mute hover:text-ink">
              {t("setup.advanced")}
            </summary>
            <div className="mt-3 space-y-4">{advanced.map(control)}</div>
          </details>
        )}
      </form>
    </StepFrame>
  );
}

/** Of what was picked before, what can still be picked: the list may be another one now. */
function offeredOf({ type, options = [] }: SetupField, value: string): string {
  if (type === "choice") return options.some((option) => option.value === value) ? value : "";
  if (type !== "choices") return value;
  const offered = value.split(",").filter((picked) => options.some((option) => option.value === picked));
  return offered.join(",");
}

/** A field that is needed is never folded away. */
function isFolded({ advanced, required }: SetupField): boolean {
  return advanced === true && required !== true;
}

/** What was wrong, where the answer is found, and what is to be taken there. */
function TakeAlong({
  step,
  copyLabel,
  problem,
}: {
  step: FormStepData;
  copyLabel: string | undefined;
  problem: string | undefined;
}) {
  const { page } = step;
  const copy = step.copy && { ...step.copy, label: copyLabel ?? step.copy.label };
  return (
    <div className="max-w-[560px] space-y-4 empty:hidden not-empty:mb-5">
      {problem && (
        <p role="alert" className="rounded-lg border border-bad/35 bg-bad-wash px-4 py-3 text-sm break-words">
          {problem}
        </p>
      )}
      {page && <PageLink url={page.url} label={page.label} quiet />}
      {copy && (
        <section aria-label={copy.label}>
          <div className="flex items-center justify-between gap-3">
            <h3 className="text-sm font-semibold">{copy.label}</h3>
            <CopyButton text={() => copy.text} />
          </div>
          <pre
            tabIndex={0}
            className="mt-1.5 max-h-28 overflow-auto rounded-lg border border-line bg-sunk px-3 py-2 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {copy.text}
          </pre>
        </section>
      )}
    </div>
  );
}

interface SetupInputProps {
  control: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean | undefined };
  field: SetupField;
  value: string;
  onChange(text: string): void;
}

const modes = { text: "text", phone: "tel", password: "text", number: "decimal" } as const;

function SetupInput({ control, field, value, onChange }: SetupInputProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  if (field.type === "choices") {
    return <Choices control={control} field={field} value={value} onChange={onChange} />;
  }
  if (field.type === "choice")
    return <OneChoice control={control} field={field} value={value} onChange={onChange} />;
  if (field.type === "switch")
    return (
      <Switch
        id={control.id}
        describedBy={control["aria-describedby"]}
        checked={value === "true"}
        onChange={(on) => onChange(String(on))}
      />
    );
  const secret = field.type === "password";
  const input = (
    <input
      {...control}
      name={field.key}
      className="field h-9"
      type={secret && !shown ? "password" : field.type === "phone" ? "tel" : "text"}
      inputMode={modes[field.type]}
      aria-required={field.required ?? false}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      placeholder={field.placeholder ?? (secret ? t("secret.placeholder") : undefined)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
  if (!secret) return input;
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="flex gap-1.5">
      {input}
      <IconButton
        className="size-9"
        label={t(shown ? "setup.hideField" : "setup.showField", { field: field.label })}
        onClick={() => setShown(!shown)}
      >
        <Icon className="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}
