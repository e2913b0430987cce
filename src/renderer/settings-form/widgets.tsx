import {
  ariaDescribedByIds,
  enumOptionSelectedValue,
  enumOptionsIndexForValue,
  enumOptionsValueForIndex,
  type WidgetProps,
} from "@rjsf/utils";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { i18n } from "../i18n/index.ts";
import { TextButton } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Switch } from "../ui/switch.tsx";
import { referenceName } from "./references.ts";
import { WebhookAddress } from "./webhook-address.tsx";

/** Entries of a list have no label of their own on the screen; their place names them. */
function common({ id, disabled, readonly, rawErrors, required }: WidgetProps) {
  const place = /_(\d+)$/.exec(id)?.[1];
  return {
    id,
    "aria-label": place === undefined ? undefined : i18n.t("list.entry", { place: Number(place) + 1 }),
    name: id,
    disabled,
    readOnly: readonly,
    "aria-describedby": ariaDescribedByIds(id),
    "aria-invalid": rawErrors && rawErrors.length > 0 ? true : undefined,
    "aria-required": required || undefined,
  };
}

function TextWidget(props: WidgetProps) {
  const { value, onChange, placeholder, schema, options } = props;
  const hints = schema["x-patchbay" as keyof typeof schema] as { kind?: string } | undefined;
  const reference = referenceName(value);
  const [typing, setTyping] = useState(false);
  if (hints?.kind === "webhook_url") return <WebhookAddress id={props.id} />;
  if (reference && !typing) return <Reference name={reference} onReplace={() => setTyping(true)} />;
  const numeric = schema.type === "number" || schema.type === "integer";
  const type = numeric
    ? "number"
    : schema.format === "uri"
      ? "url"
      : schema.format === "email"
        ? "email"
        : "text";
  return (
    <input
      {...common(props)}
      type={type}
      className={cx("field h-8", numeric && "figure max-w-48")}
      step={numeric ? (schema.multipleOf ?? (schema.type === "integer" ? 1 : "any")) : undefined}
      min={schema.minimum}
      max={schema.maximum}
      placeholder={placeholder}
      value={value ?? ""}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value === "" ? options.emptyValue : event.target.value)}
      onBlur={() => props.onBlur(props.id, value)}
    />
  );
}

function Reference({ name, onReplace }: { name: string; onReplace(): void }) {
  const { t } = useTranslation();
  return (
    <div className="flex h-8 items-center gap-2.5">
      <span className="figure inline-flex items-center gap-2 rounded-md bg-sunk px-2.5 py-1">
        <KeyRound className="size-3.5 text-mute" aria-hidden="true" />
        {name}
      </span>
      <span className="text-xs text-mute">{t("secret.reference")}</span>
      <TextButton className="text-sm" onClick={onReplace}>
        {t("secret.replace")}
      </TextButton>
    </div>
  );
}

function TextareaWidget(props: WidgetProps) {
  const { value, onChange, placeholder, options } = props;
  return (
    <textarea
      {...common(props)}
      className="field min-h-24 resize-y"
      rows={5}
      placeholder={placeholder}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? options.emptyValue : event.target.value)}
      onBlur={() => props.onBlur(props.id, value)}
    />
  );
}

function PasswordWidget(props: WidgetProps) {
  const { value, onChange, placeholder, options } = props;
  const reference = referenceName(value);
  const [typing, setTyping] = useState(false);
  if (reference && !typing) return <Reference name={reference} onReplace={() => setTyping(true)} />;
  return (
    <input
      {...common(props)}
      type="password"
      className="field h-8"
      autoComplete="off"
      placeholder={placeholder}
      value={typing && reference ? "" : (value ?? "")}
      onChange={(event) => onChange(event.target.value === "" ? options.emptyValue : event.target.value)}
    />
  );
}

function CheckboxWidget({ id, value, onChange, disabled, readonly, label, hideLabel }: WidgetProps) {
  return (
    <Switch
      id={id}
      checked={value === true}
      onChange={onChange}
      disabled={disabled || readonly}
      describedBy={ariaDescribedByIds(id)}
      {...(hideLabel && { label })}
    />
  );
}

function SelectWidget(props: WidgetProps) {
  const { t } = useTranslation();
  const { options, value, onChange, multiple, schema } = props;
  const choices = options.enumOptions ?? [];
  const indexes = enumOptionsIndexForValue(value, choices, multiple);
  const shown = enumOptionSelectedValue(value, choices, multiple === true, "indexed", "");
  const take = (chosen: string[]) =>
    onChange(
      multiple
        ? enumOptionsValueForIndex(chosen, choices, [])
        : enumOptionsValueForIndex(chosen[0] ?? "", choices, options.emptyValue),
    );
  return (
    <select
      {...common(props)}
      className={cx("field", multiple ? "min-h-24" : "h-8 max-w-96")}
      multiple={multiple}
      value={multiple ? (Array.isArray(indexes) ? indexes : []) : String(shown ?? "")}
      onChange={(event) => take([...event.target.selectedOptions].map((option) => option.value))}
    >
      {!multiple && (schema.default === undefined || value === undefined) && (
        <option value="">{t("field.choose")}</option>
      )}
      {choices.map((choice, index) => (
        <option key={String(choice.value)} value={String(index)}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

export const widgets = {
  TextWidget,
  TextareaWidget,
  PasswordWidget,
  CheckboxWidget,
  SelectWidget,
  URLWidget: TextWidget,
  EmailWidget: TextWidget,
  UpDownWidget: TextWidget,
};
