import { ariaDescribedByIds, type WidgetProps } from "@rjsf/utils";
import { i18n } from "../../../base/i18n/index.ts";

/** What every control has. Entries of a list have no label of their own on the screen; their place names them. */
export function controlProps({ id, disabled, readonly, rawErrors, required }: WidgetProps) {
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
