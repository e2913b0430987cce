/** One line of the table. */
export interface Result {
  row: string;
  /** What was measured, with its unit. */
  what: string;
  value: number;
  unit: "ms" | "MB" | "writes/s" | "%";
  /** The value to compare with, measured in the same run. */
  baseline: { what: string; value: number } | null;
  goal: string;
  met: boolean;
  /** Anything else worth knowing, by name. */
  notes?: Record<string, number | string>;
}

export interface RowOptions {
  /** Takes few samples, to see whether the benchmark works; such figures are not for the record. */
  quick: boolean;
  log(text: string): void;
}

/** Measures one or several lines. */
export interface Row {
  id: string;
  run(options: RowOptions): Promise<Result[]>;
}
