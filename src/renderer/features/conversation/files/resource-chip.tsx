import { BookOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useDisplayName } from "../../../model/rows.ts";
import { RemoveButton } from "./picture-button.tsx";

interface ResourceChipProps {
  name: string;
  owner: string;
  /** Shown when somebody points at it. */
  uri?: string;
  onRemove?: (() => void) | undefined;
}

/** Something that a plugin reads or has read for a message. */
export function ResourceChip({ name, owner, uri, onRemove }: ResourceChipProps) {
  const { t } = useTranslation();
  const plugin = useDisplayName(owner) ?? owner;
  return (
    <span className="relative inline-flex h-14 max-w-56 min-w-0 items-center gap-2.5 rounded-md border border-line bg-surface py-1.5 pr-3.5 pl-2.5 text-left">
      <span className="grid size-8 shrink-0 place-items-center rounded-sm bg-sunk text-mute">
        <BookOpen className="size-4" aria-hidden="true" />
      </span>
      <span className="min-w-0">
        <span title={uri ?? name} className="block truncate text-sm font-medium text-ink">
          {name}
        </span>
        <span className="block truncate text-xs text-mute">{t("attachable.from", { plugin })}</span>
      </span>
      {onRemove && <RemoveButton name={name} onRemove={onRemove} />}
    </span>
  );
}
