import { isObject } from "../is-object.ts";
import type { RecordEvent } from "../record.ts";
import { align, type Pair } from "./align.ts";
import type { ComparedRow, ComparedTurns } from "./compared.ts";
import { comesFrom, type Fact, type FactKind, factsOf } from "./facts.ts";
import { canonical } from "./plain.ts";
import { type TraceSpan, traceOf } from "./spans.ts";

/**
 * Two turns beside each other. Times, ids, log lines and progress are not compared. Both are events of one turn with their large
 * parts put together again. A difference is told once: where a stretch is missing, what was in it is not counted.
 */
export function compareTurns(left: readonly RecordEvent[], right: readonly RecordEvent[]): ComparedTurns {
  const rows: ComparedRow[] = [];
  new Comparison(new Side(left), new Side(right), rows).run();
  const all = rows.flatMap(({ differences }) => differences);
  const own = all.filter(({ follows }) => !follows).length;
  return { rows, own, following: all.length - own };
}

/** One of the two turns. */
class Side {
  readonly spans: readonly TraceSpan[];
  /** The hooks that its plugins offered or were asked, as `event owner`. */
  readonly hooks: ReadonlySet<string>;
  private readonly events = new Map<string, RecordEvent[]>();
  private readonly below = new Map<string | null, TraceSpan[]>();

  constructor(events: readonly RecordEvent[]) {
    this.spans = traceOf(events).spans;
    this.hooks = new Set([
      ...this.spans.filter(({ kind }) => kind === "hook").map(hookOf),
      ...events.flatMap(hooksOffered),
    ]);
    for (const event of events) listed(this.events, event.spanId).push(event);
    const known = new Set(this.spans.map(({ id }) => id));
    for (const span of this.spans)
      listed(this.below, span.parentId !== null && known.has(span.parentId) ? span.parentId : null).push(
        span,
      );
  }

  get roots(): readonly TraceSpan[] {
    return this.below.get(null) ?? [];
  }

  in(span: TraceSpan | null): readonly TraceSpan[] {
    return (span && this.below.get(span.id)) ?? [];
  }

  /** The events of a stretch; of an approval and a run those of their call. */
  of({ id, kind }: TraceSpan): readonly RecordEvent[] {
    const [spanId = "", _part, dialogId] = id.split("/");
    const own = this.events.get(spanId) ?? [];
    return kind === "dialog" ? own.filter((one) => "dialogId" in one && one.dialogId === dialogId) : own;
  }

  facts(span: TraceSpan): Fact[] {
    return factsOf(span, this.of(span));
  }

  /** What a stretch has in common with its like in another turn, and beside it what makes it the very same. */
  key(span: TraceSpan): { key: string; content: string } {
    const [first] = this.of(span);
    switch (span.kind) {
      case "hook":
        return first?.type === "hook_asked"
          ? { key: canonical(["hook", span.name, span.owner, first.stage]), content: first.hookId }
          : { key: "hook", content: "" };
      case "tool":
        return first?.type === "tool_called"
          ? { key: canonical(["tool", first.tool]), content: canonical(first.arguments) }
          : { key: "tool", content: "" };
      case "dialog":
        return first?.type === "dialog_asked"
          ? { key: canonical(["dialog", span.owner]), content: canonical(first.question) }
          : { key: "dialog", content: "" };
      case "pause":
        return { key: canonical(["pause", span.name, span.owner]), content: "" };
      case "model":
      case "turn":
      case "approval":
      case "run":
        return { key: span.kind, content: "" };
    }
  }
}

class Comparison {
  private readonly left: Side;
  private readonly right: Side;
  private readonly rows: ComparedRow[];
  /** Whether anything has differed so far. */
  private any = false;

  constructor(left: Side, right: Side, rows: ComparedRow[]) {
    this.left = left;
    this.right = right;
    this.rows = rows;
  }

  run(): void {
    for (const pair of this.aligned(this.left.roots, this.right.roots)) this.visit(pair, 0, false);
  }

  /** Returns whether anything differs in it. @param inSpan whether something has differed in the stretch around it */
  private visit(pair: Pair<TraceSpan>, depth: number, inSpan: boolean): boolean {
    const row: ComparedRow = { ...pair, depth, differences: [] };
    this.rows.push(row);
    if (pair.left === null || pair.right === null) {
      const alone = pair.left ?? pair.right;
      const kind = pair.left ? "missing" : "added";
      row.differences.push({ kind, left: undefined, right: undefined, follows: this.explained(alone, kind) });
      this.any = true;
      this.alone(pair, depth + 1);
      return true;
    }
    const facts = paired(this.left.facts(pair.left), this.right.facts(pair.right));
    const children = this.aligned(this.left.in(pair.left), this.right.in(pair.right));
    let differs = inSpan && (pair.left.kind === "approval" || pair.left.kind === "run");
    for (const step of merged(facts, children)) {
      if ("child" in step) {
        if (this.visit(step.child, depth + 1, differs)) differs = true;
        continue;
      }
      const { kind, left, right } = step.fact;
      if (canonical(left) === canonical(right)) continue;
      const follows = this.follows(kind, row, differs);
      row.differences.push({ kind, left, right, follows });
      differs = true;
      this.any = true;
    }
    return row.differences.length > 0 || differs;
  }

  /** Whether what differs already explains a difference of this kind. */
  private follows(kind: FactKind, { differences }: ComparedRow, inSpan: boolean): boolean {
    switch (comesFrom[kind]) {
      case "nothing":
        return false;
      case "input":
        return differences.length > 0;
      case "span":
        return inSpan;
      case "all":
        return this.any;
    }
  }

  /** Lists what lies in a stretch that one turn alone has. */
  private alone(pair: Pair<TraceSpan>, depth: number): void {
    const side = pair.left ? this.left : this.right;
    for (const span of side.in(pair.left ?? pair.right)) {
      const below: Pair<TraceSpan> = pair.left ? { left: span, right: null } : { left: null, right: span };
      this.rows.push({ ...below, depth, differences: [] });
      this.alone(below, depth + 1);
    }
  }

  /** That a hook is not there in the other turn is explained by nothing before it. */
  private explained(span: TraceSpan, kind: "missing" | "added"): boolean {
    if (!this.any) return false;
    const other = kind === "missing" ? this.right : this.left;
    return span.kind !== "hook" || other.hooks.has(hookOf(span));
  }

  private aligned(left: readonly TraceSpan[], right: readonly TraceSpan[]): Pair<TraceSpan>[] {
    const keysOf = (side: Side, spans: readonly TraceSpan[]) =>
      new Map(spans.map((span) => [span, side.key(span)]));
    const [ofLeft, ofRight] = [keysOf(this.left, left), keysOf(this.right, right)];
    const like = (one: TraceSpan, other: TraceSpan) => {
      const [mine, theirs] = [ofLeft.get(one), ofRight.get(other)];
      if (!mine || !theirs || mine.key !== theirs.key) return 0;
      return mine.content === theirs.content ? 3 : 2;
    };
    return align(left, right, like, 3);
  }
}

function hookOf({ name, owner }: TraceSpan): string {
  return `${name} ${owner}`;
}

/** Of what plugins offer when the turn begins and from some place on. */
function hooksOffered(event: RecordEvent): string[] {
  const offer =
    event.type === "turn_begun" ? event.world : event.type === "offer_changed" ? event.offer : null;
  const live = isObject(offer) && isObject(offer.live) ? offer.live.hooks : undefined;
  if (!Array.isArray(live)) return [];
  return live.flatMap((hook: unknown) => (isObject(hook) ? [`${hook.event} ${hook.owner}`] : []));
}

interface PairedFact {
  kind: FactKind;
  left: unknown;
  right: unknown;
  seq: { left: number; right: number };
}

/** The facts of both sides by kind; the n-th of a kind stands beside the other's n-th. */
function paired(left: readonly Fact[], right: readonly Fact[]): PairedFact[] {
  const count = new Map<string, number>();
  const found = new Map<string, PairedFact>();
  const none = Number.NaN;
  const put = (side: "left" | "right", facts: readonly Fact[]) => {
    count.clear();
    for (const { kind, value, seq } of facts) {
      const index = count.get(kind) ?? 0;
      count.set(kind, index + 1);
      const name = `${kind} ${index}`;
      const one = found.get(name) ?? {
        kind,
        left: undefined,
        right: undefined,
        seq: { left: none, right: none },
      };
      found.set(name, one);
      one[side] = value;
      one.seq[side] = seq;
    }
  };
  put("left", left);
  put("right", right);
  return [...found.values()];
}

type Step = { fact: PairedFact } | { child: Pair<TraceSpan> };

/** Facts and stretches within one, in the order in which they happened. */
function merged(facts: readonly PairedFact[], children: readonly Pair<TraceSpan>[]): Step[] {
  const steps: Step[] = [];
  const due = [...facts].sort((one, other) => placeOf(one) - placeOf(other));
  for (const child of children) {
    while (due[0] && isBefore(due[0], child)) steps.push({ fact: due.shift() as PairedFact });
    steps.push({ child });
  }
  return [...steps, ...due.map((fact) => ({ fact }))];
}

function placeOf({ seq: { left, right } }: PairedFact): number {
  return Number.isNaN(left) ? right : left;
}

function isBefore({ seq }: PairedFact, { left, right }: Pair<TraceSpan>): boolean {
  if (left && !Number.isNaN(seq.left)) return seq.left < left.first;
  if (right && !Number.isNaN(seq.right)) return seq.right < right.first;
  return false;
}

function listed<K, V>(map: Map<K, V[]>, key: K): V[] {
  let list = map.get(key);
  if (!list) {
    list = [];
    map.set(key, list);
  }
  return list;
}
