/** Measures the Janet engine in a process of its own and sends the figures; run with --expose-gc. */
const began = performance.now();
const { createEngine, fromJs, Interrupted, toJs } = await import("../../packages/janet/src/index.ts");

/** What a plugin's hook does: looks at the call, and changes or blocks it. */
const plugin = `
(def blocked ["rm -rf" "mkfs" "shutdown"])
(var calls 0)
(defn on-tool-start [ctx]
  (++ calls)
  (def command (get-in ctx [:args :command] ""))
  (def words (string/split " " (string/trim command)))
  (cond
    (find |(string/find $ command) blocked) {:block true :reason (string "refused: " (first words))}
    (string/has-prefix? "git " command) {:args (merge (ctx :args) {:command (string/replace-all "  " " " command)})}
    nil))`;
const context = {
  tool: "bash",
  args: { command: "git  commit -m 'a change of several words'", timeout: 30 },
  session: { id: "s1", cwd: "/home/somebody/project", turn: 7 },
};

export interface Figures {
  /** Milliseconds from the first line of a new process to the first answer, and of a further engine. */
  readyCold: number;
  readyWarm: number[];
  /** Milliseconds of each call. */
  hooks: number[];
  /** Milliseconds that the endless loop ran, what it was allowed, and what calls of others took meanwhile. */
  loop: { ran: number; limit: number; interrupted: boolean; others: number[] };
  /** MB of each idle engine. */
  memory: number;
}

async function ready() {
  const engine = createEngine();
  const environment = engine.newEnvironment();
  await engine.evaluate("(def answer (+ 40 2))", { environment });
  return { engine, environment };
}

async function hooks(count: number): Promise<number[]> {
  const { engine, environment } = await ready();
  await engine.evaluate(plugin, { environment });
  const hook = engine.lookup(environment, "on-tool-start");
  if (hook === undefined) throw new Error("The plugin has no hook.");
  const limits = { environment, steps: 1_000_000, millis: 1_000 };
  const samples: number[] = [];
  for (let call = 0; call < count + 2_000; call++) {
    const begin = performance.now();
    const result = toJs(await engine.call(hook, [fromJs(context)], limits)) as typeof context | null;
    const took = performance.now() - begin;
    if (!result?.args.command.startsWith("git commit")) throw new Error("The hook gave something else.");
    if (call >= 2_000) samples.push(took);
  }
  engine.dispose();
  return samples;
}

async function endless(limit: number): Promise<Figures["loop"]> {
  const { engine, environment } = await ready();
  const begin = performance.now();
  let running = true;
  let interrupted = false;
  const loop = engine
    .evaluate("(var i 0) (while true (++ i))", { millis: limit })
    .catch((error) => {
      interrupted = error instanceof Interrupted;
    })
    .finally(() => {
      running = false;
    });
  const others: number[] = [];
  while (running) {
    const asked = performance.now();
    await engine.evaluate("(+ answer 1)", { environment });
    others.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await loop;
  const ran = performance.now() - begin;
  engine.dispose();
  return { ran, limit, interrupted, others };
}

async function memory(count: number): Promise<number> {
  const kept: unknown[] = [];
  const used = () => {
    globalThis.gc?.();
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  kept.push(await ready());
  const before = used();
  for (let at = 0; at < count; at++) kept.push(await ready());
  const grown = used() - before;
  return kept.length === count + 1 ? grown / count / 1024 ** 2 : Number.NaN;
}

const quick = process.argv[2] === "quick";
await ready();
const readyCold = performance.now() - began;
const readyWarm: number[] = [];
for (let round = 0; round < (quick ? 5 : 40); round++) {
  const begin = performance.now();
  await ready();
  readyWarm.push(performance.now() - begin);
}
const figures: Figures = {
  readyCold,
  readyWarm,
  hooks: await hooks(quick ? 2_000 : 20_000),
  loop: await endless(500),
  memory: await memory(quick ? 5 : 30),
};
process.send?.(figures, () => process.exit(0));
