export type EntryKind = "screen" | "plugin" | "agent" | "action" | "found" | "link";

/** Something that the palette leads to or does. */
export interface Entry {
  /** Stays the same from day to day, so that it is known again when it was used lately. */
  id: string;
  kind: EntryKind;
  text: string;
  /** Other words that find it. */
  also?: string | undefined;
  /** A promise when it takes time: the palette then waits for it. */
  run(): unknown;
}
