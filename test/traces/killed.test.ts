import { once } from "node:events";
import { readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { patchbay } from "../cli/support.ts";
import { readOtlp } from "./otlp-reader.ts";
import { recordedHome } from "./recorded-home.ts";

const script = `
- say: I go to work.
  call:
    - { tool: worker__send, input: { words: hello } }
    - { tool: worker__wait }
- say: Never said.
`;

/** The bytes that the last line of the record loses after the kill: none, or so many that it is torn in half. */
const cuts = [
  ["as it lies there", 0],
  ["with its last line torn in half", 0.5],
] as const;

test.for(cuts)(
  "after kill -9 in the middle of a tool call the turn is readable, %s, and marked as cut",
  {
    timeout: 120_000,
  },
  async ([, torn]) => {
    await using bench = await recordedHome(script);
    const place = { agentId: "ada", sessionId: bench.sessionId };
    const watched = await bench.client.traces.watch(place);
    const turn = bench.turn("Send my words").catch(() => {});
    let turnId = "";
    for await (const event of watched) {
      ({ turnId } = event);
      if (event.type === "tool_started" && event.toolCallId === "script-0-1") break;
    }
    // Reading it brings everything until now to the disk.
    const before = await bench.client.traces.turn({ ...place, turnId });
    const ended = once(bench.app.process, "exit");
    bench.app.process.kill("SIGKILL");
    await ended;
    await turn;
    const file = join(bench.home, `agents/ada/sessions/${bench.sessionId}.record.jsonl`);
    const stored = await readFile(file);
    const lastLine = stored.subarray(stored.lastIndexOf("\n", stored.length - 2) + 1).length;
    if (torn > 0) await truncate(file, stored.length - Math.ceil(lastLine * torn));

    await bench.reopen();

    const listed = await bench.client.traces.turns(place);
    expect(listed).toMatchObject([{ turnId, outcome: "aborted", cut: true, text: "Send my words" }]);
    const events = await bench.client.traces.turn({ ...place, turnId });
    const kept = torn > 0 ? before.slice(0, -1) : before;
    expect(events.slice(0, kept.length)).toEqual(kept);
    expect(events.slice(kept.length)).toMatchObject([
      { type: "tool_skipped", seq: kept.length, toolCallId: "script-0-1" },
      { type: "turn_ended", seq: kept.length + 1, cut: true },
    ]);
    const hooks = events.filter((event) => event.type === "hook_answered");
    expect(hooks.map(({ owner, decision }) => [owner, decision])).toContainEqual(["tidy", "rewrote"]);

    const order = { ...place, turnId };
    const jsonl = (await bench.client.traces.export({ ...order, as: "jsonl" })).text.trimEnd().split("\n");
    expect(JSON.parse(jsonl[0] ?? "").turns).toMatchObject([{ turnId, cut: true }]);
    expect(jsonl).toHaveLength(1 + events.length);
    const spans = readOtlp((await bench.client.traces.export({ ...order, as: "otlp" })).text);
    expect(spans[0]).toMatchObject({
      status: 2,
      attributes: { "patchbay.turn.cut": true, "error.type": "cut", "patchbay.state": "cut" },
    });
    const waiting = spans.find(({ name }) => name === "execute_tool worker__wait");
    expect(waiting).toMatchObject({ status: 2, attributes: { "patchbay.state": "cut" } });
    const sent = spans.find(({ name }) => name === "execute_tool worker__send");
    expect(sent).toMatchObject({ status: undefined, attributes: { "patchbay.tool.outcome": "executed" } });
    const { text: page } = await bench.client.traces.export({ ...order, as: "html" });
    expect(page).toContain("Patchbay ended during this turn. This is what was recorded until then.");
    const shown = await patchbay(bench.home, ["trace", "show", turnId, "--agent", "ada"]);
    expect(shown.stdout).toMatch(/Turn {2}cut: Patchbay ended during it/);
    expect(shown.stdout).toMatch(/Tool {2}worker\.wait {2}worker {2}cut: Patchbay ended during it/);
    const list = await patchbay(bench.home, ["trace", "list", "--agent", "ada"]);
    expect(list.stdout).toMatch(new RegExp(`${turnId} .* cut +`));
  },
);
