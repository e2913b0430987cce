/** How often something happened at a place after `start`, by times in milliseconds; older ones are forgotten. */
export function countSince(times: Map<string, number[]>, place: string, start: number): number {
  const left = (times.get(place) ?? []).filter((at) => at > start);
  times.set(place, left);
  return left.length;
}

export function note(times: Map<string, number[]>, place: string, now: number): void {
  times.set(place, [...(times.get(place) ?? []), now]);
}
