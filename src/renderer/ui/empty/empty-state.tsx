import type { ReactNode } from "react";
import { cx } from "../class-names.ts";
import { PatchFrame } from "../patch/frame.tsx";
import { Jack } from "../patch/jack.tsx";

interface EmptyStateProps {
  /** What is not there, without a full stop. */
  title: string;
  /** One sentence: what would be here, or what makes it appear. */
  text?: ReactNode;
  /** The one next step, and a quieter way beside it at most. */
  action?: ReactNode;
  /** `page`: it is the whole screen or most of it. `part`: a list within one. */
  size?: "page" | "part";
  /** Instead of the row of empty jacks. */
  drawing?: ReactNode;
  /** What the title is on the page; `p` where a heading stands above. */
  as?: "h1" | "h2" | "p";
  className?: string;
}

/** A place where nothing is: a row of empty jacks, a title, a sentence and the next step, drawn alike on every page. */
export function EmptyState({
  title,
  text,
  action,
  size = "part",
  drawing,
  as: Title = "p",
  className,
}: EmptyStateProps) {
  const isPage = size === "page";
  return (
    <div
      data-empty={size}
      className={cx(
        "mx-auto grid w-full justify-items-center text-center",
        isPage ? "py-10" : "py-5",
        className,
      )}
    >
      {drawing ?? <EmptyJacks radius={isPage ? 11 : 6} />}
      <Title
        className={cx(
          "max-w-full break-words",
          isPage ? "mt-4 text-title font-semibold tracking-tight" : "mt-2 text-sm font-semibold",
        )}
      >
        {title}
      </Title>
      {text && (
        <div className={cx("mt-1 max-w-[48ch] text-balance break-words text-mute", !isPage && "text-sm")}>
          {text}
        </div>
      )}
      {action && (
        <div className={cx("flex flex-wrap items-center justify-center gap-2", isPage ? "mt-5" : "mt-3")}>
          {action}
        </div>
      )}
    </div>
  );
}

/** Three jacks in which nothing is plugged in. */
function EmptyJacks({ radius }: { radius: number }) {
  const pitch = radius * 3;
  const middle = radius + 1;
  return (
    <PatchFrame width={2 * pitch + 2 * middle} height={2 * middle}>
      {[0, 1, 2].map((place) => (
        <Jack key={place} x={middle + place * pitch} y={middle} radius={radius} />
      ))}
    </PatchFrame>
  );
}
