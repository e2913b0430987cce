import type { TFunction } from "i18next";
import type { Advice, ServerWay } from "../../../contract/found/mcp-list.ts";

/** What a registry says against an entry, in one line: with its words where it gave some. */
export function adviceLine({ status, message }: Advice, t: TFunction): string {
  return message ? t(`servers.${status}Said`, { message }) : t(`servers.${status}`);
}

/** The same in sentences, with what to do. */
export function adviceText({ status, message }: Advice, t: TFunction): string {
  return message ? t(`servers.${status}LongSaid`, { message }) : t(`servers.${status}Long`);
}

/** The ways to have a server, in a few words: `npm, remote`. */
export function waysLine(ways: readonly ServerWay[], t: TFunction): string {
  return ways.map((way) => t(`servers.wayShort.${way}`)).join(", ");
}
