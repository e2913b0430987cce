import type { ComparedRow, ComparedTurns, TurnDifference } from "./compared.ts";
import type { TestPart } from "./replay.ts";

/** Which part of a test a difference belongs to. */
export function partOf({ left, right }: ComparedRow, { kind }: TurnDifference): TestPart {
  const stretch = (left ?? right)?.kind;
  switch (kind) {
    case "missing":
    case "added":
      if (stretch === "tool") return "calls";
      if (stretch === "run") return "results";
      return stretch === "model" ? "messages" : "decisions";
    case "call":
    case "arguments":
      return "calls";
    case "rule":
    case "decision":
    case "approval":
    case "reply":
      return "decisions";
    case "output":
    case "result":
      return "results";
    case "text":
      return stretch === "turn" ? "text" : "messages";
    case "end":
    case "stopped":
      return "text";
    case "given":
    case "message":
    case "prompt":
    case "said":
    case "steered":
    case "model":
    case "messages":
    case "answer":
    case "input":
    case "changes":
    case "effects":
    case "question":
      return "messages";
  }
}

/** The rows that differ in what a test expects to be the same, each with those differences alone. */
export function failedRows({ rows }: ComparedTurns, expect: readonly TestPart[]): ComparedRow[] {
  return rows.flatMap((row) => {
    const differences = row.differences.filter((one) => expect.includes(partOf(row, one)));
    return differences.length > 0 ? [{ ...row, differences }] : [];
  });
}
