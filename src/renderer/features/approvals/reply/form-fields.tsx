import type { TFunction } from "i18next";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { FormField } from "../../../../contract/dialogs/form.ts";
import type { FormFault } from "../../../../contract/dialogs/form-faults.ts";
import { Field, FieldError } from "../../../ui/controls/field.tsx";
import { Switch } from "../../../ui/controls/switch.tsx";
import type { Draft } from "./form-draft.ts";

interface FormFieldsProps {
  fields: readonly FormField[];
  draft: Draft;
  faults: readonly FormFault[];
  onChange(draft: Draft): void;
  /** A field was left. */
  onLeave(name: string): void;
}

export function FormFields({ fields, draft, faults, onChange, onLeave }: FormFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="space-y-3.5">
      {fields.map((field) => {
        const fault = faults.find((one) => one.field === field.name);
        return (
          <FormControl
            key={field.name}
            field={field}
            value={draft[field.name] ?? ""}
            error={fault && faultWords(fault, t)}
            onChange={(value) => onChange({ ...draft, [field.name]: value })}
            onLeave={() => onLeave(field.name)}
          />
        );
      })}
    </div>
  );
}

function faultWords(fault: FormFault, t: TFunction): string {
  switch (fault.kind) {
    case "missing":
      return t("field.needed");
    case "too_short":
    case "too_long":
    case "too_small":
    case "too_large":
      return t(`reply.fault.${fault.kind}`, { limit: fault.limit });
    case "too_few":
    case "too_many":
      return t(`reply.fault.${fault.kind}`, { count: fault.limit });
    case "email":
    case "uri":
    case "date":
    case "date-time":
      return t(`format.${fault.kind}`);
    case "wrong_type":
    case "not_whole":
    case "not_listed":
    case "unknown":
      return t(`reply.fault.${fault.kind}`);
  }
}

interface FormControlProps {
  field: FormField;
  value: Draft[string];
  error: string | undefined;
  onChange(value: Draft[string]): void;
  onLeave(): void;
}

const inputTypes = { email: "email", uri: "url", date: "date", "date-time": "datetime-local" } as const;

function FormControl(props: FormControlProps) {
  const { t } = useTranslation();
  const { field, value, error, onChange, onLeave } = props;
  switch (field.type) {
    case "boolean":
      return <SwitchRow {...props} />;
    case "choice":
      if (field.options.length <= mostInSight) return <Choices {...props} options={field.options} />;
      return (
        <Field label={field.title} help={field.description} error={error} optional={!field.required}>
          {(control) => (
            <select
              {...control}
              className="field h-8 max-w-96"
              value={String(value)}
              onChange={({ target }) => onChange(target.value)}
              onBlur={onLeave}
            >
              <option value="">{t("field.choose")}</option>
              {field.options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          )}
        </Field>
      );
    case "choices":
      return <Choices {...props} options={field.options} />;
    case "text":
    case "number": {
      const isNumber = field.type === "number";
      const type = isNumber || field.format === undefined ? "text" : inputTypes[field.format];
      return (
        <Field label={field.title} help={field.description} error={error} optional={!field.required}>
          {(control) => (
            <input
              {...control}
              type={type}
              inputMode={isNumber ? (field.whole ? "numeric" : "decimal") : undefined}
              className={isNumber || type.startsWith("date") ? "field figure h-8 max-w-60" : "field h-8"}
              autoComplete="off"
              spellCheck={false}
              required={field.required}
              value={String(value)}
              onChange={({ target }) => onChange(target.value)}
              onBlur={onLeave}
            />
          )}
        </Field>
      );
    }
  }
}

/** Up to this many choices are shown side by side; more become a list. */
const mostInSight = 6;

function SwitchRow({ field, value, error, onChange }: FormControlProps) {
  const id = useId();
  return (
    <div>
      <div className="flex items-start justify-between gap-6">
        <div className="min-w-0">
          <label htmlFor={id} className="text-sm font-medium break-words">
            {field.title}
          </label>
          {field.description && <p className="text-xs text-mute">{field.description}</p>}
        </div>
        <Switch id={id} checked={value === true} onChange={onChange} />
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

/** Choices to tick, one or several. */
function Choices({
  field,
  options,
  value,
  error,
  onChange,
}: FormControlProps & { options: readonly { value: string; label: string }[] }) {
  const { t } = useTranslation();
  const id = useId();
  const several = Array.isArray(value) ? value : null;
  const press = (one: string, on: boolean) => {
    if (!several) return onChange(one);
    // In the order in which they are offered, whichever was ticked first.
    onChange(
      options.map((option) => option.value).filter((each) => (each === one ? on : several.includes(each))),
    );
  };
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} aria-invalid={error ? true : undefined}>
      <legend className="mb-1 flex items-baseline gap-2 text-sm font-medium">
        {field.title}
        {!field.required && <span className="text-xs font-normal text-hint">{t("field.optional")}</span>}
      </legend>
      {field.description && <p className="mb-1 text-xs text-mute">{field.description}</p>}
      <div className="flex max-h-56 flex-wrap gap-2 overflow-y-auto py-0.5">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-w-0 items-center gap-2 rounded-md border border-line bg-raised px-2.5 py-1 text-sm has-checked:border-accent"
          >
            <input
              type={several ? "checkbox" : "radio"}
              name={id}
              className="size-4 shrink-0 accent-(--accent)"
              checked={several ? several.includes(option.value) : value === option.value}
              onChange={({ target }) => press(option.value, target.checked)}
            />
            <span className="min-w-0 break-words">{option.label}</span>
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
