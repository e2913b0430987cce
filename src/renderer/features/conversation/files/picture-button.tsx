import { ImageOff, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../../ui/class-names.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Spinner } from "../../../ui/spinner.tsx";

interface PictureButtonProps {
  name: string;
  /** Null until it is known. */
  address: string | null;
  size: "sm" | "md";
  /** It cannot be had any more. */
  isGone?: boolean;
  /** How much of it is sent, from 0 to 1; null: it is not being sent. */
  part?: number | null;
  onRemove?: (() => void) | undefined;
}

const sizes = { sm: "size-14", md: "h-36 max-w-56 min-w-20" };

/** A picture, small; it opens large. */
export function PictureButton({ name, address, size, isGone, part = null, onRemove }: PictureButtonProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (isGone)
    return (
      <span className="flex items-center gap-2 rounded-md border border-dashed border-line-strong px-2.5 py-2 text-xs text-mute">
        <ImageOff className="size-4" aria-hidden="true" />
        {t("conversation.pictureGone", { name })}
      </span>
    );
  return (
    <span className="group/picture relative inline-block align-top">
      <button
        type="button"
        aria-label={t("conversation.openPicture", { name })}
        title={name}
        disabled={address === null}
        onClick={() => setOpen(true)}
        className={cx(
          "grid place-items-center overflow-hidden rounded-md border border-line bg-sunk transition-colors enabled:hover:border-line-strong",
          sizes[size],
        )}
      >
        {address === null ? (
          <Spinner className="text-mute" />
        ) : (
          <img src={address} alt="" className="size-full object-cover" />
        )}
      </button>
      {part !== null && <SentPart part={part} />}
      {onRemove && <RemoveButton name={name} onRemove={onRemove} />}
      {address !== null && (
        <Dialog open={open} onClose={() => setOpen(false)} title={name} width="lg">
          <img src={address} alt={name} className="mx-auto max-h-[70vh] max-w-full rounded-md" />
        </Dialog>
      )}
    </span>
  );
}

/** How much of a file is with the core. */
export function SentPart({ part }: { part: number }) {
  const { t } = useTranslation();
  return (
    <span
      role="progressbar"
      aria-label={t("conversation.sendingFile")}
      aria-valuenow={Math.round(part * 100)}
      className="absolute inset-x-1.5 bottom-1.5 h-1 overflow-hidden rounded-full bg-line-strong"
    >
      <span className="block h-full bg-accent" style={{ width: `${part * 100}%` }} />
    </span>
  );
}

export function RemoveButton({ name, onRemove }: { name: string; onRemove(): void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t("conversation.detach", { name })}
      title={t("conversation.detach", { name })}
      onClick={onRemove}
      className="absolute -top-1.5 -right-1.5 grid size-5 place-items-center rounded-full border border-line bg-raised text-mute shadow-card hover:text-ink"
    >
      <X className="size-3" aria-hidden="true" />
    </button>
  );
}
