import { afterEach, expect, test, vi } from "vitest";
import type { Dialog, DialogQuestion } from "../../src/contract/index.ts";
import { Dialogs } from "../../src/main/agents/dialogs.ts";
import { next, Workbench } from "./workbench.ts";

const confirm: DialogQuestion = { kind: "confirm", message: "Really?" };
const options = [
  { value: "a", label: "A" },
  { value: "b", label: "B" },
];

function dialogs(dialogMs = 120_000) {
  const limits = { dialogMs } as never;
  return new Dialogs({ settings: { get: () => ({ limits }) } });
}

afterEach(() => void vi.useRealTimers());

test("questions queue up, name who asks, and are answered once", async () => {
  const asking = dialogs();
  const first = asking.ask("a", "p", confirm, "tool p.x");
  const second = asking.ask("a", "q", { kind: "text", message: "Name?" }, "/greet");

  const [one, two] = asking.list();
  expect(one).toMatchObject({ agentId: "a", pluginKey: "p", context: "tool p.x", question: confirm });
  expect(two).toMatchObject({ pluginKey: "q", context: "/greet" });
  asking.answer(two?.id ?? "", "Ada");
  asking.answer(one?.id ?? "", true);

  expect(await Promise.all([first, second])).toEqual([true, "Ada"]);
  expect(() => asking.answer(one?.id ?? "", false)).toThrow(
    expect.objectContaining({ code: "DIALOG_NOT_FOUND" }),
  );
  expect(asking.list()).toEqual([]);
});

test.each([
  [confirm, "yes", "The answer must be yes or no."],
  [{ kind: "text", message: "?" }, true, "The answer must be a text."],
  [{ kind: "select", message: "?", options }, "c", "The answer must be one of the options."],
  [{ kind: "multi_select", message: "?", options }, ["a", "c"], "The answer must be a list of the options."],
] as const)("an answer that does not fit %j is refused, and the question stays", (question, answer, why) => {
  const asking = dialogs();
  void asking.ask("a", "p", question as DialogQuestion, "x");
  const id = asking.list()[0]?.id ?? "";
  expect(() => asking.answer(id, answer as never)).toThrow(why);
  expect(asking.list()).toHaveLength(1);
  asking.close();
});

test("a question of the wrong shape is refused", async () => {
  await expect(
    dialogs().ask("a", "p", { kind: "select", message: "?", options: [] }, "x"),
  ).rejects.toMatchObject({
    code: "BAD_INPUT",
    message: "The plugin p asked a question of the wrong shape.",
  });
});

test("nobody's answer is null, after the time limit", async () => {
  vi.useFakeTimers();
  const asking = dialogs(1_000);
  const closed: string[] = [];
  asking.changes.on("dialogClosed", (id) => closed.push(id));
  const answer = asking.ask("a", "p", confirm, "x");
  const id = asking.list()[0]?.id;

  await vi.advanceTimersByTimeAsync(999);
  expect(asking.list()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);

  expect(await answer).toBeNull();
  expect(closed).toEqual([id]);
});

test("questions of a plugin that stops are closed unanswered, those of others stay", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("p", "turn.start@v1", () => undefined);
  bench.pool.setRunning("p", true);
  const opened = next<Dialog>(bench.agents.changes, "dialog", (dialog) => dialog.pluginKey === "q");
  const mine = bench.agents.dialogs.ask("a", "p", confirm, "x");
  const other = bench.agents.dialogs.ask("a", "q", confirm, "x");
  const { id } = await opened;

  bench.pool.setRunning("p", false);

  expect(await mine).toBeNull();
  expect(bench.agents.dialogs.list().map((dialog) => dialog.pluginKey)).toEqual(["q"]);
  bench.agents.dialogs.answer(id, false);
  expect(await other).toBe(false);
});

test("a tool's clock stands still while its plugin asks the person", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] });
  bench.limits.toolMs = 60;
  bench.pool.tool(
    "p",
    "p__ask",
    async () => `the answer was ${await bench.agents.dialogs.ask("a", "p", confirm, "x")}`,
  );
  bench.pool.tool("q", "q__slow", () => new Promise(() => undefined));
  const opened = next<Dialog>(bench.agents.changes, "dialog");

  const pending = bench.call("p__ask");
  const { id } = await opened;
  // Its own time limit proves that more than 60 ms go by.
  expect((await bench.call("q__slow", {}, { approved: true })).trace.outcome).toBe("timed_out");
  bench.agents.dialogs.answer(id, true);

  expect((await pending).output.content).toEqual([{ type: "text", text: "the answer was true" }]);
});

test("closing the app answers every question with null", async () => {
  const bench = await Workbench.open();
  const answer = bench.agents.dialogs.ask("a", "p", confirm, "x");
  await bench[Symbol.asyncDispose]();
  expect(await answer).toBeNull();
});
