import type { Consent } from "../../../contract/index.ts";

/** What the code of a package tried and did not get while it was looked at. */
export type Tried = Consent["tried"][number];

/** The same as an English sentence. */
export function triedInWords({ wall, target }: Tried): string {
  return `While it was looked at, it ${wanted[wall]} ${target}. That was refused.`;
}

const wanted: Record<Tried["wall"], string> = {
  network: "wanted to reach",
  files: "wanted the file",
  programs: "wanted to start",
  secrets: "wanted a secret:",
  signals: "wanted to send a signal to",
};
