import { isProblem, type RowGroup, type TimelineRow } from "./rows.ts";

/** What of the rows is shown. */
export interface Filter {
  text: string;
  /** Key of a plugin; null: all. */
  owner: string | null;
  /** None: all of them. */
  groups: ReadonlySet<RowGroup>;
  problems: boolean;
}

export const showAll: Filter = { text: "", owner: null, groups: new Set(), problems: false };

/** The rows that fit, with those that contain them. @param wordsOf what a row says, in small letters */
export function filtered(
  rows: readonly TimelineRow[],
  { text, owner, groups, problems }: Filter,
  wordsOf: (row: TimelineRow) => string,
): readonly TimelineRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "" && owner === null && groups.size === 0 && !problems) return rows;
  const fits = (row: TimelineRow) =>
    (owner === null || row.owner === owner) &&
    (groups.size === 0 || groups.has(row.group)) &&
    (!problems || isProblem(row)) &&
    (wanted === "" || wordsOf(row).includes(wanted));
  const parents = new Map(rows.map((row) => [row.id, row.parentId]));
  const shown = new Set<string>();
  for (const row of rows) {
    if (!fits(row)) continue;
    for (let id: string | null = row.id; id !== null && !shown.has(id); id = parents.get(id) ?? null)
      shown.add(id);
  }
  return rows.filter(({ id }) => shown.has(id));
}

/** How many rows there are of each kind, and how many that tell of a problem. */
export function countsOf(rows: readonly TimelineRow[]): Partial<Record<RowGroup | "problems", number>> {
  const counts: Partial<Record<RowGroup | "problems", number>> = {};
  for (const row of rows) {
    counts[row.group] = (counts[row.group] ?? 0) + 1;
    if (isProblem(row)) counts.problems = (counts.problems ?? 0) + 1;
  }
  return counts;
}
