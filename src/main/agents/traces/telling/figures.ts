/** Milliseconds as people read them: `0.4 ms`, `38 ms`, `1.25 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 10) / 100} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A number of things, with thin spaces between its thousands. */
export function amount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** US dollars: two digits behind the point, and as many as say something for less than a cent. */
export function dollars(amount: number): string {
  if (amount === 0 || amount >= 0.01) return `$${amount.toFixed(2)}`;
  return `$${amount.toFixed(Math.min(10, 1 + Math.ceil(-Math.log10(amount))))}`;
}
