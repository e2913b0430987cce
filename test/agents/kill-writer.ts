import { flushCompileCache } from "node:module";
import { Workbench } from "./workbench.ts";

/**
 * Runs scripted turns in one session until it is killed, and tells its parent of every entry as soon as its event was
 * streamed: from then on the entry counts as seen by the person. `steps`: how many the whole session may have taken at the
 * end; the script is read anew for each turn, so no more than that.
 */
const [home = "", steps = "0", sessionId] = process.argv.slice(2);
// Who is killed writes nothing at its end.
flushCompileCache();
const bench = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] }, home);
bench.pool.tool("p", "p__n", (input) => `result ${input.n}`);
await bench.script(
  Array.from({ length: Number(steps) }, (_, n) =>
    n % 2 === 0 ? { say: `step ${n}`, call: { tool: "p__n", input: { n } } } : { say: `answer ${n}` },
  ),
);
const id = sessionId || (await bench.agents.createSession("a")).id;
process.send?.({ session: id });
for (let turn = 0; ; turn += 1) {
  const text = `question ${turn} of ${process.pid}`;
  for await (const event of bench.agents.prompt("a", { text, sessionId: id, caller: { kind: "owner" } })) {
    if (event.type === "turn_started") process.send?.({ seen: event.text });
    if (event.type === "message") process.send?.({ seen: event.text });
    if (event.type === "turn_ended") process.send?.({ ended: event.turnId });
  }
}
