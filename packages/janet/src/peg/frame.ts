/** What stands on a matcher's stack. */
export const frameKind = { mark: 0, return: 1, choice: 2, repeat: 3, search: 4, split: 5 } as const;

/** A frame of a matcher's stack: where to go on, and how all was when it was put there. They are used again and again. */
export class Frame {
  kind = 0;
  /** Where to go on; for a search and a split, where the pattern to try begins. */
  address = 0;
  position = 0;
  captures = 0;
  tagged = 0;
  scratch = 0;
  mode = 0;
  /** Where the visible text ends. */
  end = 0;
  /** Repetitions so far. */
  count = 0;
  lo = 0;
  hi = 0;
  /** A search's begin, the end of what is narrowed down, or where a split's part begins. */
  aux = 0;
}
