import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "./class-names.ts";
import { ConnectionNote } from "./connection-note.tsx";

interface DialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Stays in sight above the footer, however long the content is: what went wrong. */
  notice?: ReactNode;
  footer?: ReactNode;
  width?: "sm" | "md" | "lg";
}

const widths = { sm: "max-w-[440px]", md: "max-w-[600px]", lg: "max-w-[760px]" };

export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  notice,
  footer,
  width = "md",
}: DialogProps) {
  const { t } = useTranslation();
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-50 bg-scrim backdrop-blur-[3px]" />
        <div className="pointer-events-none fixed inset-0 z-50 grid grid-rows-[minmax(0,1fr)] place-items-center p-[clamp(12px,3vmin,24px)]">
          <RadixDialog.Content
            {...(!description && { "aria-describedby": undefined })}
            onEscapeKeyDown={(event) => {
              // The list of a field is closed first.
              if (document.activeElement?.matches("[role=combobox][aria-expanded=true]"))
                event.preventDefault();
            }}
            className={cx(
              "pointer-events-auto relative flex max-h-full w-full flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-high animate-appear focus-visible:outline-none",
              widths[width],
            )}
          >
            <ConnectionNote inDialog />
            <header className="px-6 pt-5 pr-14 pb-3">
              <RadixDialog.Title className="title">{title}</RadixDialog.Title>
              {description && (
                <RadixDialog.Description asChild>
                  <div className="mt-0.5 text-sm text-mute">{description}</div>
                </RadixDialog.Description>
              )}
            </header>
            <div className="@container min-h-0 flex-1 overflow-y-auto px-6 pb-5">{children}</div>
            {notice && (
              <div className="max-h-48 shrink-0 overflow-y-auto border-t border-line px-6 py-4">{notice}</div>
            )}
            {footer && (
              <footer className="flex items-center justify-end gap-2 border-t border-line bg-sunk px-6 py-3">
                {footer}
              </footer>
            )}
            <RadixDialog.Close
              aria-label={t("common.close")}
              className="absolute top-4 right-4 grid size-8 place-items-center rounded-md text-mute hover:bg-sunk hover:text-ink"
            >
              <X className="size-4" aria-hidden="true" />
            </RadixDialog.Close>
          </RadixDialog.Content>
        </div>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
