import { useTranslation } from "react-i18next";
import type { RepeatedCall } from "../../../../contract/by-hand/by-hand.ts";
import { timeBars } from "../../../../contract/by-hand/call-times.ts";
import { formatNumber } from "../../../base/i18n/time.ts";

const width = 384;
const height = 56;
const gap = 2;

/** How the times of calls are distributed: fast ones left, slow ones right; what failed is red. */
export function TimeBars({ calls }: { calls: readonly RepeatedCall[] }) {
  const { t } = useTranslation();
  const bars = timeBars(calls);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const most = Math.max(...bars.map(({ count }) => count));
  const step = width / bars.length;
  const label = t("callTool.bars", { from: places(first.from), to: places(last.to) });
  const tall = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * height));
  return (
    <figure className="mt-2 w-96 max-w-full">
      <svg viewBox={`0 0 ${width} ${height}`} className="block w-full" role="img" aria-label={label}>
        <title>{label}</title>
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} stroke="var(--line-strong)" />
        {bars.map(({ from, count, failures }, index) => {
          const place = { x: index * step, width: step - gap };
          const failed = tall(failures);
          return (
            <g key={from}>
              <rect {...place} y={height - tall(count)} height={tall(count)} rx="1.5" fill="var(--native)" />
              <rect {...place} y={height - failed} height={failed} rx="1.5" fill="var(--bad)" />
            </g>
          );
        })}
      </svg>
      <figcaption className="figure mt-1 flex justify-between text-mute" aria-hidden="true">
        <span>{places(first.from)} ms</span>
        <span>{t("callTool.andMore", { ms: places(last.from) })}</span>
      </figcaption>
    </figure>
  );
}

function places(ms: number): string {
  return formatNumber(ms, ms < 10 ? 2 : 0);
}
