/** The first byte of each value. Bytes below 128 are whole numbers themselves. */
export const lead = {
  integer: 128,
  double: 129,
  nil: 130,
  false: 131,
  true: 132,
  string: 133,
  symbol: 134,
  keyword: 135,
  array: 136,
  tuple: 137,
  bracketTuple: 138,
  table: 139,
  tableWithProto: 140,
  struct: 141,
  structWithProto: 142,
  buffer: 143,
  /** A function of the core, by its name. */
  native: 144,
  /** A function written in Janet. */
  closure: 145,
  fiber: 146,
  abstract: 147,
  /** A name of the dictionary that both sides have. */
  registry: 148,
  /** A value that was written before, by its number. */
  reference: 149,
} as const;

/** How deep values may be nested. */
export const depthLimit = 1_024;
