import type { RecordEventOf, SpanKind } from "../../../../contract/index.ts";

type HookDecision = RecordEventOf<"hook_answered">["decision"];
type ToolOutcome = RecordEventOf<"tool_ended">["outcome"];
type ApprovalStatus = RecordEventOf<"approval_answered">["status"];
type RunWhat = RecordEventOf<"plugin_ran">["what"];

/** The words in which a turn is told. */
export interface Words {
  kinds: Record<SpanKind, string>;
  outcomes: Record<RecordEventOf<"turn_ended">["outcome"] | "cut" | "running", string>;
  hooks: Record<HookDecision, string>;
  tools: Record<ToolOutcome, string>;
  approvals: Record<ApprovalStatus, string>;
  dialogs: Record<RecordEventOf<"dialog_answered">["end"], string>;
  pauses: Record<RecordEventOf<"resumed">["action"] | "changed", string>;
  plugins: Record<RunWhat, string>;
  /** Labels of what happens at a moment. */
  log: string;
  problem: string;
  plugin: string;
  lent: string;
  waits: string;
  steered: string;
  said: string;
  asked: string;
  stop: string;
  leftOut(logs: number, progress: number): string;
  tokens(input: string, output: string): string;
  cached(tokens: string): string;
  thinking(tokens: string): string;
  firstWord(ms: string): string;
  changedBy(owners: string): string;
  knownBefore: string;
  secret: string;
  by(who: string): string;
  owner: string;
  /** What stands on the exported page besides. */
  page: PageWords;
}

export interface PageWords {
  title: string;
  turnsOf(count: number, agent: string): string;
  written(time: string): string;
  figures: {
    duration: string;
    models: string;
    tools: string;
    hooks: string;
    tokens: string;
    cost: string;
    problems: string;
  };
  unknown: string;
  cut: string;
  running: string;
  from: string;
  data: string;
  before: string;
  after: string;
  private: string;
  openRow: string;
}
