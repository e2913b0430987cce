/** A day begins at a quarter of an hour, wherever one is. */
const QUARTER_MS = 15 * 60_000;
let lastQuarter = Number.NaN;
let lastDay = "";

/**
 * The day of a moment on this computer's clock, as `2026-01-31`. The last answer is kept, because each call of a plugin
 * asks.
 *
 * @param at milliseconds since 1970
 */
export function localDay(at: number): string {
  const quarter = Math.floor(at / QUARTER_MS);
  if (quarter === lastQuarter) return lastDay;
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  lastDay = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  lastQuarter = quarter;
  return lastDay;
}
