import { compareNames } from "./by-name.ts";
import { groupOf, healthOf } from "./health.ts";
import { displayName, type Row } from "./rows.ts";

/** Plugins that need somebody stand first, the others below them; both by name. */
export function inOrderOfNeed(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, name: displayName(row), rank: needsSomebody(row) ? 0 : 1 }))
    .sort((a, b) => a.rank - b.rank || compareNames(a.name, b.name) || compareNames(a.row.key, b.row.key))
    .map(({ row }) => row);
}

/** It is in trouble, or goes on with older settings because the newer ones were refused. */
function needsSomebody(row: Row): boolean {
  return (
    groupOf(healthOf(row)) === "needs" || (row.plugin !== null && row.view?.refusedSettings !== undefined)
  );
}
