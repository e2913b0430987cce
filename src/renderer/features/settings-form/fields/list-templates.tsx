import {
  ADDITIONAL_PROPERTY_FLAG,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  type FieldTemplateProps,
  type IconButtonProps,
  type MultiSchemaFieldTemplateProps,
  type UnsupportedFieldProps,
} from "@rjsf/utils";
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { i18n } from "../../../base/i18n/index.ts";
import { labelOf } from "../../../model/runtime-values.ts";
import { Button, IconButton } from "../../../ui/controls/button.tsx";

function ArrayFieldTemplate({
  items,
  canAdd,
  onAddClick,
  disabled,
  readonly,
  fieldPathId,
  title,
  schema,
}: ArrayFieldTemplateProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLFieldSetElement>(null);
  const [added, setAdded] = useState(false);
  const count = items.length;
  // Whoever adds an entry wants to fill it in.
  useEffect(() => {
    if (!added || count === 0) return;
    setAdded(false);
    const entries = list.current?.querySelectorAll<HTMLElement>(":scope > [data-entry]");
    entries
      ?.item(entries.length - 1)
      ?.querySelector<HTMLElement>(fillable)
      ?.focus();
  }, [added, count]);
  const limits = entryLimits(schema);
  return (
    <fieldset id={fieldPathId.$id} ref={list} className="space-y-1.5">
      <legend className="text-sm font-medium">{schema.title ?? labelOf(title)}</legend>
      {schema.description && <p className="-mt-1 pb-0.5 text-xs text-mute">{schema.description}</p>}
      {limits && <p className="-mt-1 pb-0.5 text-xs text-hint">{limits}</p>}
      {items}
      {items.length === 0 && <p className="text-xs text-hint">{t("list.empty")}</p>}
      {canAdd && (
        <Button
          size="sm"
          onClick={(event) => {
            onAddClick(event);
            setAdded(true);
          }}
          disabled={disabled || readonly}
          icon={<Plus className="size-3.5" aria-hidden="true" />}
        >
          {t("list.add")}
        </Button>
      )}
    </fieldset>
  );
}

const fillable = "input, select, textarea";

function entryLimits({ minItems, maxItems }: ArrayFieldTemplateProps["schema"]): string | null {
  const said = [
    minItems !== undefined && i18n.t("invalid.minItems", { count: minItems }),
    maxItems !== undefined && i18n.t("invalid.maxItems", { count: maxItems }),
  ].filter((part) => typeof part === "string");
  return said.length > 0 ? said.join(" ") : null;
}

function ArrayFieldItemTemplate({ children, buttonsProps, hasToolbar, index }: ArrayFieldItemTemplateProps) {
  const { t } = useTranslation();
  const {
    hasMoveUp,
    hasMoveDown,
    hasRemove,
    onMoveUpItem,
    onMoveDownItem,
    onRemoveItem,
    disabled,
    readonly,
  } = buttonsProps;
  const fixed = disabled || readonly;
  const place = index + 1;
  return (
    <div data-entry={index} className="flex items-start gap-1">
      <div className="min-w-0 flex-1 [&>div]:py-0">{children}</div>
      {hasToolbar && (
        <div className="flex pt-0.5">
          {(hasMoveUp || hasMoveDown) && (
            <>
              <IconButton
                label={t("list.up", { place })}
                disabled={fixed || !hasMoveUp}
                onClick={onMoveUpItem}
              >
                <ArrowUp className="size-3.5" aria-hidden="true" />
              </IconButton>
              <IconButton
                label={t("list.down", { place })}
                disabled={fixed || !hasMoveDown}
                onClick={onMoveDownItem}
              >
                <ArrowDown className="size-3.5" aria-hidden="true" />
              </IconButton>
            </>
          )}
          {hasRemove && (
            <IconButton label={t("list.remove", { place })} disabled={fixed} onClick={onRemoveItem}>
              <Trash2 className="size-3.5" aria-hidden="true" />
            </IconButton>
          )}
        </div>
      )}
    </div>
  );
}

/** An entry whose name the person chooses: the name beside its value. Other fields are drawn as they are. */
export function AdditionalProperty(props: Omit<FieldTemplateProps, "children"> & { children: ReactNode }) {
  const { t } = useTranslation();
  const { schema, id, label, onKeyRenameBlur, onRemoveProperty, disabled, children } = props;
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return children;
  return (
    <div className="flex items-start gap-2">
      <input
        id={`${id}-key`}
        className="field mt-2 w-40"
        aria-label={t("list.name")}
        defaultValue={label}
        onBlur={onKeyRenameBlur}
        disabled={disabled}
      />
      <div className="min-w-0 flex-1">{children}</div>
      <IconButton className="mt-2" label={t("list.removeName", { name: label })} onClick={onRemoveProperty}>
        <Trash2 className="size-3.5" aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function AddButton({ onClick, disabled }: IconButtonProps) {
  const { t } = useTranslation();
  return (
    <Button
      size="sm"
      className="my-1.5"
      onClick={onClick}
      disabled={disabled}
      icon={<Plus className="size-3.5" aria-hidden="true" />}
    >
      {t("list.add")}
    </Button>
  );
}

function MultiSchemaFieldTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="rounded-lg border border-line bg-sunk px-4 py-2">
      {selector}
      {optionSchemaField}
    </div>
  );
}

/** The library's reason is for those who write schemas. */
function UnsupportedFieldTemplate(_: UnsupportedFieldProps) {
  const { t } = useTranslation();
  return <p className="text-xs text-mute">{t("field.unsupported")}</p>;
}

export const listTemplates = {
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  MultiSchemaFieldTemplate,
  UnsupportedFieldTemplate,
  ButtonTemplates: { AddButton },
};
