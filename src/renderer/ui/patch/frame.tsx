import type { ReactNode } from "react";

interface PatchFrameProps {
  /** In CSS pixels; the drawing's own units are the same. */
  width: number;
  height: number;
  className?: string | undefined;
  /** What reaches over the edge is cut off instead of shown. */
  clipped?: boolean | undefined;
  /** For tests: whose drawing it is, or what it shows. */
  data?: Readonly<Record<`data-${string}`, string>> | undefined;
  children: ReactNode;
}

/** The sheet on which cables, jacks and strips are drawn. It is hidden from screen readers: the words beside it say the same. */
export function PatchFrame({
  width,
  height,
  className = "",
  clipped = false,
  data,
  children,
}: PatchFrameProps) {
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      className={`shrink-0 ${clipped ? "overflow-hidden" : "overflow-visible"} ${className}`}
      aria-hidden="true"
      {...data}
    >
      {children}
    </svg>
  );
}
