/** The part of the turn that is in sight, in milliseconds from its beginning. */
export interface Range {
  from: number;
  to: number;
}

/** The least that can be in sight, in milliseconds. */
const LEAST = 0.5;

/** Zooms so that `at` keeps its place. `factor` below 1 shows less. Never beyond the whole turn. */
export function zoomed({ from, to }: Range, factor: number, at: number, whole: number): Range {
  const length = Math.min(whole, Math.max(LEAST, (to - from) * factor));
  const share = (at - from) / (to - from);
  return held(at - share * length, length, whole);
}

/** Moves what is in sight by so many milliseconds, as far as the turn goes. */
export function panned({ from, to }: Range, by: number, whole: number): Range {
  return held(from + by, to - from, whole);
}

function held(from: number, length: number, whole: number): Range {
  const begin = Math.max(0, Math.min(from, whole - length));
  return { from: begin, to: begin + length };
}

/** Times for the axis: about `count` of them, at round distances, in milliseconds from the beginning of the turn. */
export function ticksOf({ from, to }: Range, count: number): number[] {
  const rough = (to - from) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}
