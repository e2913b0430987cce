import { Core } from "../core/core.ts";
import type { Row } from "../row.ts";
import { median, timed } from "../stats.ts";

/** Calls of one block; a recorder is made for each, as for a turn. */
const CALLS = 100;
const GOAL = 3;

/**
 * What the record of a turn costs a tool call: calls in a turn that is recorded, beside calls whose events go nowhere. What
 * is written later, for which no call waits, is noted.
 */
export const recording: Row = {
  id: "recording",
  async run({ quick }) {
    await using core = await Core.open(["bench-echo"]);
    await core.agent("a", ["bench-echo"]);
    const { TurnRecorder, RecordWriter, SessionRecordFiles, systemClock, openFileStorage } = core.entry;
    const storage = openFileStorage({ home: core.home, onNotice() {} });
    const place = { agentId: "a", sessionId: "bench" };
    const files = new SessionRecordFiles({ storage, ...place, clock: systemClock });
    // The writer is flushed between the blocks; by its timer it would write in the middle of them.
    const clock = { ...systemClock, after: () => () => {} };
    const writer = new RecordWriter({ files, secrets: { redact: (text) => text }, clock });
    const { signal } = new AbortController();
    const input = { text: "the quick brown fox jumps over the lazy dog" };
    let turns = 0;
    const block = async (take: ConstructorParameters<typeof TurnRecorder>[0]["sink"]["take"]) => {
      turns += 1;
      const sink = { take, stream() {} };
      const turnId = `turn-${turns}`;
      const { root } = new TurnRecorder({ turnId, clock: systemClock, sink });
      for (let call = 0; call < CALLS; call += 1) {
        const about = { ...place, turnId, tool: "bench__echo", caller: { kind: "owner" as const } };
        const { trace } = await core.app.tools.call({ ...about, input, signal, span: root.child() });
        if (trace.problem) throw new Error(trace.problem.message);
      }
    };
    const samples: Record<"recorded" | "nowhere" | "writing", number[]> = {
      recorded: [],
      nowhere: [],
      writing: [],
    };
    const kinds = {
      recorded: () => block((event) => writer.add(event)),
      nowhere: () => block(() => {}),
    };
    const [rounds, warmup] = quick ? [20, 5] : [300, 50];
    for (let round = 0; round < rounds + warmup; round += 1) {
      const order = round % 2 === 0 ? (["recorded", "nowhere"] as const) : (["nowhere", "recorded"] as const);
      for (const kind of order) {
        const ms = await timed(kinds[kind]);
        const writing = await timed(() => writer.flush());
        if (round < warmup) continue;
        samples[kind].push(ms);
        if (kind === "recorded") samples.writing.push(writing);
      }
    }
    await files.close();
    const [recorded, nowhere] = [median(samples.recorded) / CALLS, median(samples.nowhere) / CALLS];
    // Each round is compared with itself, because what else the machine does changes from round to round.
    const ratios = samples.recorded.map((ms, round) => ms / (samples.nowhere[round] ?? ms));
    const percent = (median(ratios) - 1) * 100;
    return [
      {
        row: "recording",
        what: "what a tool call takes longer in a turn that is recorded",
        value: percent,
        unit: "%",
        baseline: null,
        goal: `≤ ${GOAL} %`,
        met: percent <= GOAL,
        notes: { recordedMs: recorded, nowhereMs: nowhere, writtenLaterMs: median(samples.writing) / CALLS },
      },
    ];
  },
};
