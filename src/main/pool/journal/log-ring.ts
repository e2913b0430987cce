import type { LogEntry, LogLevel } from "../../../contract/index.ts";

const MOST_ENTRIES = 10_000;
/** Most characters of all kept lines together; a long new line may therefore remove several old ones. */
const MOST_TEXT = 8 * 1024 * 1024;
const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** The newest log lines of one instance. */
export class LogRing {
  /**
   * All entries from `#start` on are kept; those before it are removed now and then. Removing the first of 10,000
   * entries for each new line would be slow.
   */
  #entries: LogEntry[] = [];
  #start = 0;
  #text = 0;
  #seq = 0;

  add(entry: Omit<LogEntry, "seq">): LogEntry {
    const added: LogEntry = { seq: ++this.#seq, ...entry };
    this.#entries.push(added);
    this.#text += added.text.length;
    while (this.#entries.length - this.#start > MOST_ENTRIES || this.#text > MOST_TEXT) this.#dropOldest();
    return added;
  }

  /**
   * The kept lines with a number above `after` and at least this level, the oldest first; of these only the last
   * `limit`.
   */
  read(filter: { after?: number; level?: LogLevel; limit?: number } = {}): LogEntry[] {
    const { after = 0, level = "debug", limit = MOST_ENTRIES } = filter;
    const lowest = LEVELS.indexOf(level);
    const found: LogEntry[] = [];
    for (let at = this.#entries.length - 1; at >= this.#start && found.length < limit; at -= 1) {
      const entry = this.#entries[at];
      if (!entry || entry.seq <= after) break;
      if (LEVELS.indexOf(entry.level) >= lowest) found.push(entry);
    }
    return found.reverse();
  }

  #dropOldest(): void {
    this.#text -= this.#entries[this.#start]?.text.length ?? 0;
    this.#start += 1;
    if (this.#start < MOST_ENTRIES) return;
    this.#entries = this.#entries.slice(this.#start);
    this.#start = 0;
  }
}
