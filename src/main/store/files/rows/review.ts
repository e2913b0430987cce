import { PatchbayError, type Problem } from "../../../../contract/index.ts";
import type { Guard } from "../../signer.ts";
import type { StateFile } from "../state-file.ts";
import type { Entries, RowMarks } from "./row-marks.ts";

/** What a review of a file needs. */
export interface Reviewed<T> {
  file: StateFile<unknown>;
  marks: RowMarks<T>;
  guard: Guard<T>;
  collection: string;
  agentId: string | null;
  /** The rows in the data of the file, as they are stored. */
  rowsOf(data: unknown): Entries;
}

/** What is to be done after a review. */
export type Outcome<T> =
  /** The key is out of reach. */
  | { kind: "unproven" }
  /** All rows are as Patchbay wrote them. `sign`: they have to be written, because they bear no signatures yet. */
  | { kind: "fine"; sign: boolean }
  /** Some are not: those are out, and where there was an older genuine one, it is in their place. */
  | { kind: "set-aside"; gone: string[]; restored: Map<string, T> };

/** Judges the rows of a file, sets those aside that do not fit, and looks for genuine ones in the good copies. */
export function review<T>(reviewed: Reviewed<T>, adopt: boolean): Outcome<T> {
  const { file, marks, guard, rowsOf } = reviewed;
  const stored = file.stored();
  if (!marks.ready) {
    marks.hold(stored?.marks);
    return { kind: "unproven" };
  }
  if (stored === null) return { kind: "fine", sign: false };
  const rows = rowsOf(stored.data);
  const { unfit, older, missing, unsigned } = marks.judge(stored.version, rows, stored.marks);
  if (adopt || (marks.adopting && unsigned)) return { kind: "fine", sign: true };
  const gone = [...unfit, ...older, ...missing];
  if (gone.length === 0) return { kind: "fine", sign: !stored.inPlace };
  const aside = file.keepAside("tampered");
  const found = new Map(rows);
  const restored = new Map<string, T>();
  for (const id of gone) {
    const genuine = genuineOf(reviewed, id);
    if (genuine !== undefined) restored.set(id, guard.restored?.(genuine, problemOf(id)) ?? genuine);
  }
  for (const id of gone) {
    guard.onSetAside({
      collection: reviewed.collection,
      agentId: reviewed.agentId,
      id,
      value: found.get(id),
      file: aside,
      restored: restored.has(id),
      older: older.includes(id),
    });
  }
  return { kind: "set-aside", gone, restored };
}

/** The newest row of that id in a good copy that bears its signature, in today's form. */
function genuineOf<T>({ file, marks, rowsOf }: Reviewed<T>, id: string): T | undefined {
  for (const { stored, value } of file.copies()) {
    const raw = rowsOf(stored.data).find(([of]) => of === id);
    if (raw && marks.fits(stored.version, id, raw[1], stored.marks)) {
      return rowsOf(value).find(([of]) => of === id)?.[1] as T | undefined;
    }
  }
  return undefined;
}

function problemOf(id: string): Problem {
  return new PatchbayError(
    "STATE_TAMPERED",
    `Something other than Patchbay changed what is kept of ${id}, so it was switched off.`,
    { details: { row: id } },
  ).toProblem();
}
