export type EntryKind = "screen" | "plugin" | "agent" | "action" | "found" | "link";

/** Something that the palette leads to or does. */
export interface Entry {
  /** The same in every session, so that an entry is recognised among those that were chosen lately. */
  id: string;
  kind: EntryKind;
  text: string;
  /** Other words that find it. */
  also?: string | undefined;
  /** A promise when it takes time: the palette then waits for it. */
  run(): unknown;
}
