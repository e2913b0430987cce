import { type Breakpoint, breakpointInputSchema, PatchbayError } from "../../../contract/index.ts";
import { type Condition, type ConditionTrouble, parseCondition } from "../../../contract/pauses/condition.ts";
import type { Ids } from "../../base/ids.ts";
import type { PausePoint } from "./desk.ts";
import { judgeCondition } from "./judge-condition.ts";

/** What somebody says of a breakpoint, read by the contract. */
type Given = Omit<Breakpoint, "id" | "agentId" | "hits" | "slow">;

/** A breakpoint, and its condition as it was read. */
interface Kept {
  breakpoint: Breakpoint;
  condition: Condition | null;
}

/** The most breakpoints of one agent. */
const MOST = 200;

/** The breakpoints of all agents. They are kept as long as the core runs. */
export class Breakpoints {
  private readonly kept = new Map<string, Kept>();
  private readonly ids: Ids;

  constructor(ids: Ids) {
    this.ids = ids;
  }

  /** Whether any of them is on. */
  get areOn(): boolean {
    for (const { breakpoint } of this.kept.values()) if (breakpoint.enabled) return true;
    return false;
  }

  /** In the order in which they were added. */
  list(agentId?: string): Breakpoint[] {
    const all = [...this.kept.values()].map(({ breakpoint }) => breakpoint);
    return agentId === undefined ? all : all.filter((one) => one.agentId === agentId);
  }

  /** @throws PatchbayError CONDITION_INVALID; BAD_INPUT when there are too many */
  add(agentId: string, given: Given): Breakpoint {
    if (this.list(agentId).length >= MOST)
      throw new PatchbayError("BAD_INPUT", `An agent has at most ${MOST} breakpoints.`);
    const id = this.ids.next();
    return this.put({ ...only(given), id, agentId, hits: 0, slow: false });
  }

  /** @throws PatchbayError BREAKPOINT_NOT_FOUND, CONDITION_INVALID */
  change(agentId: string, id: string, given: Given): Breakpoint {
    const { hits } = this.found(agentId, id);
    return this.put({ ...only(given), id, agentId, hits, slow: false });
  }

  /** @throws PatchbayError BREAKPOINT_NOT_FOUND */
  remove(agentId: string, id: string): void {
    this.found(agentId, id);
    this.kept.delete(id);
  }

  forget(agentId: string): void {
    for (const { id } of this.list(agentId)) this.kept.delete(id);
  }

  /** The first breakpoint that wants the turn stopped here; its hit is counted. */
  reached(point: PausePoint): Breakpoint | undefined {
    let facts: Record<string, unknown> | undefined;
    for (const one of this.kept.values()) {
      if (!isMeant(one.breakpoint, point)) continue;
      if (one.condition) {
        facts ??= point.facts();
        const judged = judgeCondition(one.condition, facts);
        one.breakpoint = { ...one.breakpoint, slow: judged === "slow" };
        if (judged !== true) continue;
      }
      one.breakpoint = { ...one.breakpoint, hits: one.breakpoint.hits + 1 };
      return one.breakpoint;
    }
    return undefined;
  }

  private put(breakpoint: Breakpoint): Breakpoint {
    const { condition } = breakpoint;
    const parsed = condition === null || condition === "" ? null : parseCondition(condition);
    if (parsed && !parsed.ok) throw invalid(parsed.trouble);
    const clean = { ...breakpoint, condition: parsed ? condition : null };
    this.kept.set(clean.id, { breakpoint: clean, condition: parsed?.condition ?? null });
    return clean;
  }

  private found(agentId: string, id: string): Breakpoint {
    const one = this.kept.get(id)?.breakpoint;
    if (!one || one.agentId !== agentId)
      throw new PatchbayError("BREAKPOINT_NOT_FOUND", "There is no such breakpoint.");
    return one;
  }
}

function invalid(trouble: ConditionTrouble): PatchbayError {
  return new PatchbayError(
    "CONDITION_INVALID",
    `The condition cannot be read at its character ${trouble.at + 1}.`,
    { details: { ...trouble } },
  );
}

function isMeant({ agentId, enabled, where, tool, plugin, event }: Breakpoint, point: PausePoint): boolean {
  if (!enabled || agentId !== point.agentId || where !== point.where) return false;
  if (plugin !== null && plugin !== point.plugin) return false;
  if (event !== null && event !== point.hook?.event) return false;
  return tool === null || (point.tool !== null && isNamed(tool, point.tool.name, point.title));
}

/** Whether a name, or the beginning of one with `*` behind it, means a tool; its name on the screen counts as well. */
function isNamed(pattern: string, ...names: readonly string[]): boolean {
  return pattern.endsWith("*")
    ? names.some((name) => name.startsWith(pattern.slice(0, -1)))
    : names.includes(pattern);
}

/** What the contract knows of, so that nobody brings hits of their own. */
function only(given: Given): Given {
  return breakpointInputSchema.parse(given);
}
