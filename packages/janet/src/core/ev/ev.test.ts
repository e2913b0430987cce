import { describe, expect, it } from "vitest";
import { createEngine } from "../../engine.ts";
import { pretty } from "../../print/pretty.ts";

async function run(source: string, onBackgroundError?: (report: string) => void): Promise<string> {
  const engine = createEngine({ onBackgroundError });
  try {
    return pretty(await engine.evaluate(source, { millis: 5_000 }));
  } finally {
    engine.dispose();
  }
}

describe("channels", () => {
  it("let waiting takers and givers go on in their order", async () => {
    expect(
      await run(`(def log @[])
        (def c (ev/chan))
        (for i 0 3 (ev/spawn (array/push log [:got i (ev/take c)])))
        (ev/sleep 0)
        (for i 0 3 (ev/give c i))
        (ev/sleep 0)
        log`),
    ).toBe("@[(:got 0 0) (:got 1 1) (:got 2 2)]");
    expect(
      await run(`(def log @[])
        (def c (ev/chan 1))
        (for i 0 4 (ev/spawn (ev/give c i) (array/push log i)))
        (ev/sleep 0)
        [(array/slice log) (ev/count c) (ev/take c) (ev/take c) (do (ev/sleep 0) log)]`),
    ).toBe("(@[0] 4 0 1 @[0 1 2])");
  });

  it("give who waits nil, and ev/select the news, when they are closed", async () => {
    expect(
      await run(`(def out @[])
        (def c (ev/chan)) (def d (ev/chan))
        (ev/spawn (array/push out [:take (ev/take c)]))
        (ev/spawn (array/push out (first (ev/select d c))))
        (ev/sleep 0)
        (ev/chan-close c)
        (ev/sleep 0)
        [out (first (ev/select c))]`),
    ).toBe("(@[(:take nil) :close] :close)");
    expect(
      await run(`(def c (ev/chan)) (var given :not-yet)
        (ev/spawn (set given (ev/give c 1)))
        (ev/sleep 0) (ev/chan-close c) (ev/sleep 0) given`),
    ).toBe("nil");
  });

  it("keep the value of a clause that was not chosen", async () => {
    expect(
      await run(`(def a (ev/chan)) (def b (ev/chan)) (var chosen nil)
        (ev/spawn (set chosen (ev/select [a :to-a] [b :to-b])))
        (ev/sleep 0)
        (def got (ev/take b))
        (ev/sleep 0)
        [got (= (chosen 1) b) (ev/count a) (ev/full a)]`),
    ).toBe("(:to-b true 0 true)");
  });

  it("forget a taker that was cancelled", async () => {
    expect(
      await run(`(def c (ev/chan)) (def out @[])
        (def f (ev/spawn (ev/take c)))
        (ev/spawn (array/push out (ev/take c)))
        (ev/sleep 0)
        (ev/cancel f :stop)
        (ev/sleep 0)
        (ev/give c :value)
        (ev/sleep 0)
        out`),
    ).toBe("@[:value]");
  });

  it("hand many values between two tasks and let the host work meanwhile", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const sum = await run(`(def c (ev/chan)) (var sum 0)
      (ev/spawn (for i 0 100000 (ev/give c i)) (ev/chan-close c))
      (var x 0)
      (while (set x (ev/take c)) (+= sum x))
      sum`);
    clearInterval(timer);
    expect(sum).toBe("4999950000");
    expect(turns).toBeGreaterThan(2);
  });
});

describe("tasks", () => {
  it("run when the running one waits, first come first served", async () => {
    expect(
      await run(`(def log @[])
        (ev/go (fn [] (array/push log :a) (ev/sleep 0) (array/push log :a2)))
        (ev/go (fn [x] (array/push log x)) :b)
        (array/push log :main)
        (ev/sleep 0.01)
        log`),
    ).toBe("@[:main :a :b :a2]");
  });

  it("tell their supervisor how they ended", async () => {
    expect(
      await run(`(def sup (ev/chan 10))
        (ev/go (fn [] 1) nil sup)
        (ev/go (fn [] (error :bad)) nil sup)
        (ev/go (fn [] (signal 3 :s)) nil sup)
        (ev/go (fn [] (ev/give-supervisor :note 1 2) (ev/go (fn [] :child))) nil sup)
        (seq [_ :range [0 6]] (def [tag f] (ev/take sup)) (if (fiber? f) [tag (fiber/last-value f)] [tag f]))`),
    ).toMatch(/^@\[\(:ok 1\) \(:error :bad\) \(:user3 :s\) \(:note 1\) \(:ok <fiber .*>\) \(:ok :child\)\]$/);
  });

  it("that fail without a supervisor are told of", async () => {
    const reports: string[] = [];
    await run(`(ev/spawn (error "lost")) (ev/sleep 0)`, (report) => reports.push(report));
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatch(/^error: lost\n/);
  });

  it("are cancelled where they wait, and before they began", async () => {
    expect(
      await run(`(def log @[])
        (def f (ev/spawn (defer (array/push log :cleaned) (ev/sleep 100))))
        (def g (ev/go (fiber/new (fn [] (array/push log :never)) :e)))
        (ev/cancel g :before)
        (ev/sleep 0)
        (ev/cancel f :now)
        (ev/sleep 0)
        [log (fiber/status f) (fiber/last-value f) (fiber/status g)]`),
    ).toBe("(@[:cleaned] :error :now :error)");
  });

  it("may cancel themselves, and leave what they wait for then", async () => {
    expect(
      await run(`(def c (ev/chan))
        (def f (ev/spawn (ev/cancel (fiber/root) :own) (ev/take c)))
        (ev/sleep 0)
        (var got nil)
        (ev/spawn (set got (ev/take c)))
        (ev/sleep 0) (ev/give c 1) (ev/sleep 0)
        [(fiber/status f) (fiber/last-value f) got]`),
    ).toBe("(:error :own 1)");
  });

  it("end by their deadline only if they are not done", async () => {
    expect(await run(`(protect (ev/with-deadline 0.02 (ev/sleep 10)))`)).toBe('(false "deadline expired")');
    expect(await run(`(ev/with-deadline 0.02 1) (ev/sleep 0.05) :on`)).toBe(":on");
    expect(
      await run(`(def f (ev/go (fn [] (ev/take (ev/chan))))) (ev/deadline 0.01 f f)
        (ev/sleep 0.05) [(fiber/status f) (fiber/last-value f)]`),
    ).toBe('(:error "deadline expired")');
  });

  it("are gathered in their order; the first error ends the rest", async () => {
    expect(await run("(ev/gather (do (ev/sleep 0.02) 1) 2 (do (ev/sleep 0.01) 3))")).toBe("@[1 2 3]");
    expect(
      await run(`(def log @[])
        [(protect (ev/gather (defer (array/push log :stopped) (ev/sleep 10)) (do (ev/sleep 0) (error :first)))) (do (ev/sleep 0) log)]`),
    ).toBe("((false :first) @[:stopped])");
  });

  it("are listed while they are not done", async () => {
    expect(
      await run(
        "(def f (ev/spawn (ev/sleep 10))) [(length (ev/all-tasks)) (truthy? (index-of f (ev/all-tasks)))]",
      ),
    ).toBe("(2 true)");
  });
});

describe("a deadline", () => {
  it("ends a loop that never waits", async () => {
    expect(await run("(protect (ev/with-deadline 0.02 (while true)))")).toBe('(false "deadline expired")');
  });
});

describe("threads", () => {
  it("are tasks, which are waited for or not", async () => {
    expect(
      await run(`(def log @[])
        (ev/thread (fn [x] (ev/sleep 0.005) (array/push log x)) :first)
        (ev/thread (fn [&] (array/push log :later)) nil :n)
        (array/push log :main)
        (ev/sleep 0.01)
        [log (protect (ev/do-thread (error :in-thread)))]`),
    ).toBe("(@[:first :main :later] (false :in-thread))");
  });
});

describe("locks", () => {
  it("are released as often as they were taken", async () => {
    expect(
      await run("(def l (ev/lock)) (ev/acquire-lock l) (ev/release-lock l) (protect (ev/release-lock l))"),
    ).toBe('(false "cannot release lock")');
  });
});
