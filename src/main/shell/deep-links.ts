import { deepLinkPath, linkScheme, parseDeepLink, unknownLinkPath } from "../../contract/links.ts";

/** The path of the screen for a link that the system handed over; one that leads nowhere has a screen that says so. */
export function pathOfLink(link: string): string {
  const known = parseDeepLink(link);
  return known ? deepLinkPath(known) : unknownLinkPath(link);
}

/** The path for the first link among the arguments of a start; undefined when there is none. */
export function pathOfArguments(argv: readonly string[]): string | undefined {
  const link = argv.find((argument) => argument.startsWith(`${linkScheme}:`));
  return link === undefined ? undefined : pathOfLink(link);
}
