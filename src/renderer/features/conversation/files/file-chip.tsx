import { File } from "lucide-react";
import { formatBytes } from "../../../base/i18n/time.ts";
import { RemoveButton, SentPart } from "./picture-button.tsx";

interface FileChipProps {
  name: string;
  bytes: number;
  /** How much of it is sent, from 0 to 1; null: it is not being sent. */
  part?: number | null;
  onRemove?: (() => void) | undefined;
}

/** A file with its name and size. */
export function FileChip({ name, bytes, part = null, onRemove }: FileChipProps) {
  return (
    <span className="relative inline-flex h-14 max-w-56 min-w-0 items-center gap-2.5 rounded-md border border-line bg-surface py-1.5 pr-3.5 pl-2.5 text-left">
      <span className="grid size-8 shrink-0 place-items-center rounded-sm bg-sunk text-mute">
        <File className="size-4" aria-hidden="true" />
      </span>
      <span className="min-w-0">
        <span title={name} className="block truncate text-sm font-medium text-ink">
          {name}
        </span>
        <span className="block text-xs text-mute">{formatBytes(bytes)}</span>
      </span>
      {part !== null && <SentPart part={part} />}
      {onRemove && <RemoveButton name={name} onRemove={onRemove} />}
    </span>
  );
}
