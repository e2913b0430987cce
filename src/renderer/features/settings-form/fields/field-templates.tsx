import type {
  DescriptionFieldProps,
  FieldErrorProps,
  FieldHelpProps,
  FieldTemplateProps,
  ObjectFieldTemplateProps,
  TitleFieldProps,
} from "@rjsf/utils";
import { errorId, helpId } from "@rjsf/utils";
import { useTranslation } from "react-i18next";
import { isObject } from "../../../../contract/is-object.ts";
import { labelOf } from "../../../model/runtime-values.ts";
import { cx } from "../../../ui/class-names.ts";
import { FieldError } from "../../../ui/controls/field.tsx";
import { hintsOf, isFixed, isShown } from "../values/hints.ts";
import { limitsOf } from "../values/limits.ts";
import { AdditionalProperty } from "./list-templates.tsx";

/** Entries of a list with more parts than this are drawn as cards. */
const MOST_IN_A_LINE = 3;

/** One setting: label, help, control and error. A switch stands beside its label. */
function FieldTemplate(props: FieldTemplateProps) {
  const { t } = useTranslation();
  const { id, label, children, errors, help, description, rawDescription, hidden, required, displayLabel } =
    props;
  if (hidden) return <div className="hidden">{children}</div>;
  const isSwitch = props.schema.type === "boolean";
  const limits = (props.rawErrors?.length ?? 0) === 0 && !isListItem(props) ? limitsOf(props.schema) : null;
  const named = displayLabel && label && !isListItem(props);
  const text = (
    <>
      <label htmlFor={id} className="flex items-baseline gap-2 text-sm font-medium">
        {fieldLabel(props)}
        {required && !isSwitch && (
          <span className="text-xs font-normal text-hint">{t("field.required")}</span>
        )}
      </label>
      {rawDescription && (
        <div id={`${id}__description`} className="text-xs text-mute">
          {description}
        </div>
      )}
    </>
  );
  return (
    <AdditionalProperty {...props}>
      <div className={cx("py-2", isSwitch && "flex items-start justify-between gap-6")}>
        {(named || isSwitch) && <div className={cx("min-w-0", !isSwitch && "mb-1.5")}>{text}</div>}
        <div className={cx(isSwitch ? "shrink-0 pt-0.5" : "min-w-0")}>{children}</div>
        {!isSwitch && errors}
        {limits && <p className="mt-1 text-xs text-hint">{limits}</p>}
        {help}
      </div>
      {isSwitch && errors}
    </AdditionalProperty>
  );
}

function fieldLabel({ schema, label }: FieldTemplateProps): string {
  return schema.title ?? labelOf(label);
}

/** Items of a list are numbered by their place; a label would only repeat it. */
function isListItem({ id }: FieldTemplateProps): boolean {
  return /_\d+$/.test(id);
}

function ObjectFieldTemplate({
  title,
  description,
  properties,
  fieldPathId,
  schema,
  ...rest
}: ObjectFieldTemplateProps) {
  const isRoot = fieldPathId.path.length === 0;
  const isItem = typeof fieldPathId.path.at(-1) === "number";
  const { AddButton } = rest.registry.templates.ButtonTemplates;
  // A field with an error is shown even when its condition would hide it.
  const isVisible = (name: string) =>
    !isFixed(schema.properties?.[name]) &&
    (name in (rest.errorSchema ?? {}) || isShown(schema.properties?.[name], rest.formData));
  const body = (
    <>
      {properties.filter(({ name }) => isVisible(name)).map((property) => property.content)}
      {schema.additionalProperties && typeof schema.additionalProperties === "object" && (
        <AddButton
          registry={rest.registry}
          onClick={rest.onAddProperty}
          disabled={rest.disabled}
          uiSchema={rest.uiSchema}
        />
      )}
    </>
  );
  if (isRoot) return <div className="divide-y divide-line [&>*]:py-3">{body}</div>;
  if (isItem && Object.keys(schema.properties ?? {}).length > MOST_IN_A_LINE)
    return (
      <div className="grid grid-cols-2 items-start gap-x-4 rounded-lg border border-line bg-sunk px-4 py-1.5">
        {properties
          .filter(({ name }) => isVisible(name))
          .map(({ name, content }) => (
            <div key={name} className={cx("min-w-0", isWide(schema.properties?.[name]) && "col-span-2")}>
              {content}
            </div>
          ))}
      </div>
    );
  if (isItem) return <div className="grid grid-cols-2 items-end gap-x-4">{body}</div>;
  // A choice that asks for nothing more: its name is said where it is chosen.
  if (!schema.additionalProperties && !properties.some(({ name }) => isVisible(name))) return null;
  return (
    <fieldset id={fieldPathId.$id} className="py-2">
      <legend className="text-sm font-semibold">{schema.title ?? labelOf(title)}</legend>
      {description && <p className="text-xs text-mute">{description}</p>}
      <div className="mt-1.5 rounded-lg border border-line bg-sunk px-4 py-1.5">{body}</div>
    </fieldset>
  );
}

/** Lists and long texts need the whole width of an entry. */
function isWide(property: unknown): boolean {
  return isObject(property) && (property.type === "array" || hintsOf(property).multiline === true);
}

function FieldErrorTemplate({ errors, fieldPathId }: FieldErrorProps) {
  const [first] = errors ?? [];
  if (!first) return null;
  return <FieldError id={errorId(fieldPathId)}>{first}</FieldError>;
}

function FieldHelpTemplate({ help, fieldPathId }: FieldHelpProps) {
  if (!help) return null;
  return (
    <p id={helpId(fieldPathId)} className="mt-1 text-xs text-mute">
      {help}
    </p>
  );
}

function DescriptionFieldTemplate({ description }: DescriptionFieldProps) {
  return <>{description}</>;
}

function TitleFieldTemplate({ title, id }: TitleFieldProps) {
  return (
    <h3 id={id} className="text-sm font-semibold">
      {title}
    </h3>
  );
}

export const fieldTemplates = {
  FieldTemplate,
  ObjectFieldTemplate,
  FieldErrorTemplate,
  FieldHelpTemplate,
  DescriptionFieldTemplate,
  TitleFieldTemplate,
  ErrorListTemplate: () => null,
};
