import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { type Notice, PatchbayError, type Problem } from "../../contract/index.ts";

const kept = 100;

/**
 * Messages about things that happened by themselves, such as a restored state file. Each is shown until it is
 * dismissed.
 */
export class Notices {
  readonly changes = new EventEmitter<{ notice: [Notice] }>();
  private notices: Notice[] = [];

  /** Oldest first. */
  list(): Notice[] {
    return this.notices;
  }

  add(problem: Problem, level: Notice["level"] = "warn"): void {
    const notice: Notice = {
      id: randomUUID(),
      at: new Date().toISOString(),
      level,
      problem,
      dismissed: false,
    };
    this.notices = [...this.notices, notice].slice(-kept);
    this.changes.emit("notice", notice);
  }

  /** @throws PatchbayError NOT_FOUND */
  dismiss(id: string): void {
    const found = this.notices.find((notice) => notice.id === id);
    if (!found) throw new PatchbayError("NOT_FOUND", "That notice is no longer there.");
    const dismissed: Notice = { ...found, dismissed: true };
    this.notices = this.notices.map((notice) => (notice.id === id ? dismissed : notice));
    this.changes.emit("notice", dismissed);
  }
}
