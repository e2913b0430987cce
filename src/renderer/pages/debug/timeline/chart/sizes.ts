/** Height of a row in pixels. */
export const rowHeight = 30;

/** Widths in pixels of what stands beside the axis: the names before it, the times behind it. */
export const columns = { name: 208, time: 96 };
