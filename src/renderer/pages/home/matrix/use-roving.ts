import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";

/** The position of the keyboard in the grid: a row, and a column of which 0 is the plugin itself. */
export interface Spot {
  row: number;
  column: number;
}

interface RovingOptions {
  rows: number;
  columns: number;
  /** Rows that one press of Page up or down passes. */
  page: number;
  grid: RefObject<HTMLElement | null>;
  /** Scrolls a position into the page, so that it can be focused. */
  reveal(spot: Spot): void;
}

/**
 * Makes the whole grid one tab stop, and moves the position with the keys of the ARIA grid pattern. Most cells are not
 * in the page, so `reveal` brings them there.
 */
export function useRoving({ rows, columns, page, grid, reveal }: RovingOptions) {
  const [wanted, setSpot] = useState<Spot>({ row: 0, column: 0 });
  const toFocus = useRef<Spot | null>(null);
  const spot = { row: clamp(wanted.row, rows), column: clamp(wanted.column, columns) };

  // Runs after every drawing, because a cell may come into the page several drawings after it was asked for.
  useEffect(() => {
    const target = toFocus.current;
    if (!target) return;
    const cell = grid.current?.querySelector<HTMLElement>(`[data-spot="${target.row}:${target.column}"]`);
    if (!cell) return;
    toFocus.current = null;
    cell.focus({ preventScroll: true });
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return;
    const next = spotAfter(event.key, event.ctrlKey || event.metaKey, spot, { rows, columns, page });
    if (!next) return;
    event.preventDefault();
    toFocus.current = next;
    setSpot(next);
    reveal(next);
  };

  // `onKeyDown` must stay the same function, because hundreds of cells depend on it.
  return { spot, onKeyDown, onFocus: setSpot };
}

interface Extent {
  rows: number;
  columns: number;
  page: number;
}

/** Where a key leads from `spot`, or null for a key that is no key of a grid. */
export function spotAfter(key: string, ctrl: boolean, spot: Spot, extent: Extent): Spot | null {
  const { row, column } = spot;
  const to = (nextRow: number, nextColumn: number): Spot => ({
    row: clamp(nextRow, extent.rows),
    column: clamp(nextColumn, extent.columns),
  });
  switch (key) {
    case "ArrowUp":
      return to(row - 1, column);
    case "ArrowDown":
      return to(row + 1, column);
    case "ArrowLeft":
      return to(row, column - 1);
    case "ArrowRight":
      return to(row, column + 1);
    case "PageUp":
      return to(row - extent.page, column);
    case "PageDown":
      return to(row + extent.page, column);
    case "Home":
      return to(ctrl ? 0 : row, 0);
    case "End":
      return to(ctrl ? extent.rows : row, extent.columns);
    default:
      return null;
  }
}

function clamp(value: number, count: number): number {
  return Math.max(0, Math.min(value, count - 1));
}
