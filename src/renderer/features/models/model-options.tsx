import { Check } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ListedModel } from "../../../contract/models/listed.ts";
import { cx } from "../../ui/class-names.ts";
import { factsOf } from "./model-facts.ts";

/** Drawn at once; a provider may have a thousand. */
export const mostDrawn = 80;

interface ModelOptionsProps {
  id: string;
  label: string;
  models: readonly ListedModel[];
  /** The place of the one that Enter takes; -1: none. */
  active: number;
  chosen: string;
  onChoose(model: string): void;
}

/** Models to choose from, each with what is known of it. */
export function ModelOptions({ id, label, models, active, chosen, onChoose }: ModelOptionsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className="max-h-64 overflow-y-auto p-1.5">
      {models.slice(0, mostDrawn).map((model, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field that it belongs to has the keys.
        <div
          key={model.id}
          id={`${id}-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={model.id === chosen}
          // The field keeps the focus, so that the list stays while the button is down.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(model.id)}
          className={cx(
            "flex cursor-default items-start gap-2 rounded-md px-2.5 py-1.5 hover:bg-sunk",
            place === active && "bg-sunk",
          )}
        >
          <span className="min-w-0 flex-1">
            <span className="figure block truncate text-sm" title={model.id}>
              {model.id}
            </span>
            <span className="block truncate text-xs text-mute">
              {[model.name !== model.id && model.name, factsOf(model, t)].filter(Boolean).join(" · ")}
            </span>
          </span>
          {model.id === chosen && <Check className="mt-1 size-3.5 shrink-0 text-ok" aria-hidden="true" />}
        </div>
      ))}
      {models.length > mostDrawn && (
        <p className="px-2.5 py-1.5 text-xs text-mute">
          {t("model.list.more", { count: models.length - mostDrawn })}
        </p>
      )}
    </div>
  );
}
