let collator: Intl.Collator | undefined;

/**
 * The order of names in every list: without regard to case, and with numbers by their value. The collator is made at
 * the first comparison, because that takes milliseconds, which the first drawing of a page with one plugin does not
 * need.
 */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator("en", { sensitivity: "base", numeric: true });
  return collator.compare(a, b);
}
