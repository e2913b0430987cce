import { expect, test } from "vitest";
import type { HookTrace } from "../../src/contract/index.ts";
import { hookTraceOf } from "../../src/main/agents/record/project-tool.ts";
import { TurnRecorder } from "../../src/main/agents/record/recorder.ts";
import { systemClock } from "../../src/main/base/clock.ts";
import { Workbench } from "./workbench.ts";

interface Before {
  args: { command: string };
  final?: true;
}

const harmless = { command: "echo hello" };
const call = { agentId: "a", sessionId: "s", toolCallId: "1", toolName: "t", args: harmless, caller: null };
const allow = { allow: true };
const rewriteTo = (command: string) => ({ allow: true, payload: { args: { command } } });

async function ask(bench: Workbench) {
  const trace: HookTrace[] = [];
  const { root: span } = new TurnRecorder({
    turnId: null,
    clock: systemClock,
    sink: {
      take: (event, turn) => {
        if (event.type === "hook_answered") trace.push(hookTraceOf(turn, event));
      },
      stream: () => {},
    },
  });
  const signal = new AbortController().signal;
  const scope = { sessionId: "s", caller: { kind: "owner" as const }, signal, span };
  const result = await bench.agents.busOf("a").veto("tool.before@v1", call, scope);
  return { result, trace };
}

test("a guard that was asked first is asked again about what another plugin made of the arguments", async () => {
  await using bench = await Workbench.open();
  const seen: Before[] = [];
  const guard = (payload: Before) => {
    seen.push({ args: payload.args, ...(payload.final && { final: true }) });
    return payload.args.command.startsWith("rm") ? { allow: false, reason: "nothing is removed" } : allow;
  };
  bench.pool.on("guard", "tool.before@v1", guard, { priority: 10 });
  bench.pool.on("late", "tool.before@v1", () => rewriteTo("rm -rf /"), { priority: 900 });

  const { result, trace } = await ask(bench);

  expect(result).toEqual({
    allowed: false,
    owner: "guard",
    reason: "nothing is removed",
    changedBy: ["late"],
  });
  expect(seen).toEqual([{ args: harmless }, { args: { command: "rm -rf /" }, final: true }]);
  expect(trace.map(({ owner, decision, stage }) => [owner, decision, stage])).toEqual([
    ["guard", "allowed", undefined],
    ["late", "rewrote", undefined],
    ["guard", "denied", "final"],
  ]);
});

test("whoever changes the arguments again in the second round blocks the call, and is named", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("tidy", "tool.before@v1", ({ args }: Before) => rewriteTo(`${args.command} --tidy`));
  bench.pool.on("other", "tool.before@v1", ({ args }: Before) => rewriteTo(`nice ${args.command}`));

  const { result } = await ask(bench);

  expect(result).toMatchObject({ allowed: false, owner: "tidy" });
  expect(!result.allowed && result.reason).toContain("after another plugin, or you, changed them");
});

test("changes that come to rest pass, and nobody is asked twice about what they have seen", async () => {
  await using bench = await Workbench.open();
  const asked: string[] = [];
  const polite = ({ args }: Before) => {
    asked.push("polite");
    return args.command.startsWith("nice ") ? allow : rewriteTo(`nice ${args.command}`);
  };
  bench.pool.on("polite", "tool.before@v1", polite);
  bench.pool.on("loud", "tool.before@v1", ({ args }: Before) => {
    asked.push("loud");
    return rewriteTo(args.command.replace("hello", "HELLO"));
  });
  bench.pool.on("guard", "tool.before@v1", () => {
    asked.push("guard");
    return allow;
  });

  const { result } = await ask(bench);

  expect(result).toMatchObject({
    allowed: true,
    payload: { args: { command: "nice echo HELLO" } },
    changedBy: ["polite", "loud"],
  });
  expect(asked).toEqual(["polite", "loud", "guard", "polite"]);
});

test("a guard that fails in the second round blocks", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("guard", "tool.before@v1", ({ final }: Before) => {
    if (final) throw new Error("I was not built for this");
    return allow;
  });
  bench.pool.on("late", "tool.before@v1", () => rewriteTo("rm -rf /"));

  expect((await ask(bench)).result).toMatchObject({
    allowed: false,
    owner: "guard",
    reason: "I was not built for this",
  });
});

test("without a change everyone is asked once", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("one", "tool.before@v1", () => allow);
  bench.pool.on("two", "tool.before@v1", () => allow);

  const { result, trace } = await ask(bench);

  expect(result).toEqual({ allowed: true, payload: call, changedBy: [] });
  expect(trace.map(({ owner }) => owner)).toEqual(["one", "two"]);
});
