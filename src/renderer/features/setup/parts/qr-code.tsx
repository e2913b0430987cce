import { useMemo } from "react";
import { encode } from "uqr";
import { cx } from "../../../ui/class-names.ts";

/** Edge of the picture with its quiet zone, in pixels. */
const edge = 280;
/** Light modules around the code that readers need. */
const quiet = 4;

/** A text as a QR code: black on white in every theme, in one path so that no seam shows between its modules. */
export function QrCode({ text, label, spent }: { text: string; label: string; spent: boolean }) {
  const { size, path } = useMemo(() => drawing(text), [text]);
  const whole = size + 2 * quiet;
  return (
    <div className="size-[282px] shrink-0 overflow-hidden rounded-lg border border-line bg-white">
      <svg
        role="img"
        aria-label={label}
        data-qr={spent ? "spent" : "good"}
        viewBox={`${-quiet} ${-quiet} ${whole} ${whole}`}
        width={edge}
        height={edge}
        shapeRendering="crispEdges"
        className={cx("forced-color-adjust-none", spent && "opacity-15 blur-[5px]")}
      >
        <path d={path} fill="#000" />
      </svg>
    </div>
  );
}

/** Each row's runs of dark modules as rectangles. */
function drawing(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  let path = "";
  for (const [y, row] of data.entries())
    for (let x = 0; x < size; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (x + 1 < size && row[x + 1]) x += 1;
      path += `M${from} ${y}h${x - from + 1}v1h${from - x - 1}z`;
    }
  return { size, path };
}
