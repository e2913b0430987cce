import { formatNumber } from "../../../base/i18n/time.ts";

/** "6,112". */
export function formatTokens(tokens: number): string {
  return formatNumber(tokens, 0);
}

/** Dollars, with as many places as a small sum needs: "$0.0042". */
export function formatCost(dollars: number): string {
  const places = dollars === 0 || dollars >= 1 ? 2 : dollars >= 0.01 ? 3 : 5;
  return `$${formatNumber(dollars, places)}`;
}
