import { formatNumber } from "../../../base/i18n/time.ts";

/** "6,112". */
export function formatTokens(tokens: number): string {
  return formatNumber(tokens, 0);
}
