import {
  ariaDescribedByIds,
  enumOptionSelectedValue,
  enumOptionsValueForIndex,
  type WidgetProps,
} from "@rjsf/utils";
import { File, Folder, KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../../ui/class-names.ts";
import { TextButton } from "../../../ui/controls/button.tsx";
import { Switch } from "../../../ui/controls/switch.tsx";
import { ChooseButton } from "../../places/public.ts";
import { isoMs, timeUnit } from "../values/duration.ts";
import { hintsOf, pathKind } from "../values/hints.ts";
import { referenceName } from "../values/references.ts";
import { ChoiceWidget } from "./choice-widget.tsx";
import { DurationWidget } from "./duration-widget.tsx";
import { FromListWidget } from "./from-list-widget.tsx";
import { ManyWidget } from "./many-widget.tsx";
import { WebhookAddress } from "./webhook-address.tsx";
import { controlProps } from "./widget-props.ts";

/** A text or a number: in the control that its format, its unit or its hints ask for. */
function TextWidget(props: WidgetProps) {
  const { schema, value } = props;
  const { kind, unit, multiline, from } = hintsOf(schema);
  const reference = referenceName(value);
  const [typing, setTyping] = useState(false);
  if (kind === "webhook_url") return <WebhookAddress id={props.id} />;
  if (reference && !typing) return <Reference name={reference} onReplace={() => setTyping(true)} />;
  if (from !== undefined) return <FromListWidget {...props} from={from} />;
  if (multiline || schema.format === "multiline") return <TextareaWidget {...props} />;
  const time = timeUnit(unit);
  if (isNumeric(schema) && time) return <DurationWidget {...props} stored={time} />;
  // A duration with months or years stays a text, because its length is not fixed.
  if (schema.format === "duration" && (!value || isoMs(String(value)) !== null))
    return <DurationWidget {...props} stored={null} />;
  if (!unit) return <LineWidget {...props} />;
  return (
    <div className="flex items-center gap-2">
      <LineWidget {...props} />
      <span className="text-sm text-mute">{unit}</span>
    </div>
  );
}

const inputTypes: Record<string, string> = {
  uri: "url",
  url: "url",
  email: "email",
  date: "date",
  time: "time",
};

function LineWidget(props: WidgetProps) {
  const { t } = useTranslation();
  const { value, onChange, placeholder, schema, options } = props;
  const example: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  const numeric = isNumeric(schema);
  const path = pathKind(schema);
  const type = numeric ? "number" : (inputTypes[schema.format ?? ""] ?? "text");
  const input = (
    <input
      {...controlProps(props)}
      type={type}
      className={cx("field h-8", (numeric || path) && "figure", numeric && "max-w-48")}
      step={numeric ? (schema.multipleOf ?? (schema.type === "integer" ? 1 : "any")) : undefined}
      min={schema.minimum}
      max={schema.maximum}
      placeholder={
        placeholder ||
        hintsOf(schema).placeholder ||
        (typeof example === "string" ? example : undefined) ||
        (path ? t(`field.placeholder.${path}`) : undefined)
      }
      value={value ?? ""}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value === "" ? options.emptyValue : event.target.value)}
      onBlur={() => props.onBlur(props.id, value)}
    />
  );
  if (!path) return input;
  const Icon = path === "file" ? File : Folder;
  return (
    <div className="flex items-center gap-2">
      <Icon className="size-4 shrink-0 text-mute" aria-hidden="true" />
      {input}
      <ChooseButton kind={path} disabled={props.disabled || props.readonly} onChosen={onChange} />
    </div>
  );
}

function isNumeric(schema: WidgetProps["schema"]): boolean {
  const kinds = [schema.type].flat();
  return kinds.includes("number") || kinds.includes("integer");
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
      {...controlProps(props)}
      className="field min-h-24 resize-y"
      rows={5}
      placeholder={placeholder || hintsOf(props.schema).placeholder}
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
      {...controlProps(props)}
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
  const { options, value, onChange, schema, multiple } = props;
  if (multiple) return <ManyWidget {...props} />;
  if (/__(one|any)of_select$/.test(props.id)) return <ChoiceWidget {...props} />;
  const choices = options.enumOptions ?? [];
  const shown = enumOptionSelectedValue(value, choices, false, "indexed", "");
  return (
    <select
      {...controlProps(props)}
      className="field h-8 max-w-96"
      value={String(shown ?? "")}
      onChange={({ target }) => onChange(enumOptionsValueForIndex(target.value, choices, options.emptyValue))}
    >
      {(schema.default === undefined || value === undefined) && <option value="">{t("field.choose")}</option>}
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
  DateWidget: TextWidget,
  DateTimeWidget: TextWidget,
  TimeWidget: TextWidget,
};
