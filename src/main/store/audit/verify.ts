import type { AuditVerdict } from "../../../contract/index.ts";
import type { Signer } from "../signer.ts";
import type { AuditFiles, AuditHead, ChainBreak } from "./audit-files.ts";
import { sealedText } from "./audit-seal.ts";
import { type ChainLine, readLine } from "./chain.ts";

/** How many faults are named; a log that was written anew has one at each line. */
const MOST_FAULTS = 20;

interface Place {
  day: string;
  line: number;
}

/**
 * Follows the chain through all days.
 * @param index the number of the index of newest rows; null when nobody can say
 * @throws PatchbayError READ_FAILED
 */
export async function verifyChain(
  files: AuditFiles,
  signer: Signer | undefined,
  index: number | null,
): Promise<AuditVerdict> {
  const head = signer && signer.mode !== "closed" ? await files.head() : null;
  const walk = new Walk(head === null || head === "damaged" ? 0 : head.n);
  for (const day of await files.days()) {
    for await (const { number, text, torn } of files.lines(day)) {
      if (torn) walk.notes.push(`The last line of ${day} was cut short when Patchbay ended.`);
      else if (text !== "") {
        walk.see(readLine(text), { day, line: number });
        compareWithIndex(walk, text, index, { day, line: number });
      }
    }
  }
  compareWithSeal(walk, head, signer);
  const { entries, unchained, from, last, notes } = walk;
  if (unchained > 0) {
    notes.unshift(
      `${unchained} older entries were written before there was a chain; nothing is known of them.`,
    );
  }
  return {
    ok: walk.faults.length === 0,
    entries,
    unchained,
    from,
    to: last?.at ?? null,
    faults: walk.faults.slice(0, MOST_FAULTS),
    notes,
  };
}

/** The walk along the chain, line by line. */
class Walk {
  readonly faults: AuditVerdict["faults"] = [];
  readonly notes: string[] = [];
  entries = 0;
  unchained = 0;
  /** An index that is too old is said once. */
  saidIndex = false;
  from: string | null = null;
  last: (ChainLine & Place) | null = null;
  /** The entry whose number the seal names. */
  sealed: (ChainLine & Place) | null = null;
  readonly #sealedN: number;
  #chained = false;

  constructor(sealedN: number) {
    this.#sealedN = sealedN;
  }

  see(line: ChainLine | null, place: Place): void {
    if (line === null) {
      this.fault(place, null, "It cannot be read.");
      return;
    }
    if (line.n === null) {
      this.unchained += this.#chained ? 0 : 1;
      if (this.#chained) this.fault(place, line.at, "It was put in: it has no number.");
    } else {
      this.#compare(line, line.n, place);
      this.#chained = true;
      this.entries += 1;
      this.from ??= line.at;
      if (line.n === this.#sealedN) this.sealed = { ...line, ...place };
    }
    this.last = { ...line, ...place };
  }

  fault(place: Place | null, at: string | null, text: string): void {
    this.faults.push({ day: place?.day ?? null, line: place?.line ?? null, at, text });
  }

  #compare(line: ChainLine, n: number, place: Place): void {
    const { last } = this;
    if (!this.#chained && last === null) {
      if (n > 1) this.notes.push(`The log begins with entry ${n}: the files of the days before are gone.`);
      return;
    }
    const before = last?.n ?? 0;
    if (this.#chained && n > before + 1) {
      this.fault(place, line.at, `${n - before - 1} entries are missing before it.`);
    } else if (this.#chained && n <= before) {
      this.fault(place, line.at, `It stands in the wrong place: its number is ${n}, after ${before}.`);
    } else if (line.prev !== last?.hash) {
      const changed = last && { day: last.day, line: last.line };
      this.fault(changed, last?.at ?? null, "It was changed, or lines after it were removed.");
    }
  }
}

/** A line that names a newer index than there is: rows were put back together with the index. */
function compareWithIndex(walk: Walk, text: string, index: number | null, place: Place): void {
  if (index === null || !text.includes(INDEXED)) return;
  const line = parsedLine(text);
  if (line.kind !== "state.indexed" || typeof line.index !== "number") return;
  if (index >= line.index || walk.saidIndex) return;
  walk.saidIndex = true;
  const said = `The list of the newest rows had the number ${line.index} then and has ${index} now: an older state was put back.`;
  walk.fault(place, typeof line.at === "string" ? line.at : null, said);
}

function parsedLine(text: string): { kind?: unknown; index?: unknown; at?: unknown } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const INDEXED = '"state.indexed"';

function compareWithSeal(walk: Walk, head: AuditHead | null | "damaged", signer: Signer | undefined): void {
  if (!signer) return;
  if (signer.mode === "closed") {
    walk.notes.push(
      "Whether lines are missing at the end cannot be checked: open the stored secrets, and look again.",
    );
    return;
  }
  if (head === null || head === "damaged" || !signer.fits(sealedText(head), head.mac)) {
    if (walk.entries === 0 && head === null && signer.mode === "adopting") return;
    const what = head === null ? "is gone" : "was changed";
    walk.fault(null, null, `The seal of the log (head.json) ${what}, so its end may be missing.`);
    return;
  }
  for (const known of head.breaks) walk.fault(null, known.noticedAt, wordsOf(known));
  const reached = walk.last?.n ?? 0;
  const { sealed } = walk;
  if (reached < head.n) {
    walk.fault(null, null, `The newest ${head.n - reached} entries are missing: the log was cut at its end.`);
  } else if (sealed?.hash !== head.hash) {
    walk.fault(sealed, sealed?.at ?? null, `Entry ${head.n} is not the one that was sealed.`);
  } else if (reached > head.n) {
    walk.notes.push(`The newest ${reached - head.n} entries are not sealed yet.`);
  }
}

function wordsOf({ kind, n }: ChainBreak): string {
  switch (kind) {
    case "cut":
      return `Lines had been removed at the end of the log: it should have reached entry ${n}.`;
    case "rewritten":
      return `Entry ${n} or lines before it had been written anew.`;
    case "seal_gone":
      return "The seal of the log had been removed.";
    case "seal_changed":
      return "The seal of the log had been changed.";
  }
}
