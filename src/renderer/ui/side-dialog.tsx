import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConnectionNote } from "./connection-note.tsx";

interface SideDialogProps extends Omit<ComponentProps<typeof RadixDialog.Content>, "className" | "children"> {
  open: boolean;
  /** The person has pressed Escape, the cross, or, where the content lets it, beside the dialog. */
  onLeave(): void;
  /** How far it is, at the left: brings its own frame. */
  side: ReactNode;
  /** What lies over the dialog, such as a question before it is left. */
  over?: ReactNode;
  children: ReactNode;
}

/** A large dialog of several steps: how far it is at the left, the present step at the right. */
export function SideDialog({ open, onLeave, side, over, children, ...content }: SideDialogProps) {
  const { t } = useTranslation();
  return (
    <RadixDialog.Root open={open} onOpenChange={(now) => !now && onLeave()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim backdrop-blur-[3px]" />
        <div className="pointer-events-none fixed inset-0 z-50 grid grid-rows-[minmax(0,1fr)] place-items-center p-[clamp(12px,3vmin,24px)]">
          <RadixDialog.Content
            aria-describedby={undefined}
            {...content}
            className="pointer-events-auto flex h-[580px] max-h-full w-full max-w-[840px] overflow-hidden rounded-xl border border-line bg-surface shadow-high animate-appear focus-visible:outline-none"
          >
            {side}
            <div className="@container relative flex min-w-0 flex-1 flex-col">
              <ConnectionNote inDialog />
              {children}
              <RadixDialog.Close
                aria-label={t("common.close")}
                className="absolute top-4 right-4 grid size-8 place-items-center rounded-md text-mute hover:bg-sunk hover:text-ink"
              >
                <X className="size-4" aria-hidden="true" />
              </RadixDialog.Close>
            </div>
          </RadixDialog.Content>
        </div>
      </RadixDialog.Portal>
      {over}
    </RadixDialog.Root>
  );
}
