import fc from "fast-check";
import { expect, test } from "vitest";
import type { SetupAnswer, SetupAnswerKind, SetupStepKind } from "../../contract/index.ts";
import type { SetupPluginState } from "../runtimes/runtime.ts";
import { IDLE_MS } from "./flow/endings.ts";
import {
  type Effect,
  type FlowState,
  type Happening,
  isClosing,
  isSettled,
  type PhaseKind,
  type Timer,
} from "./flow/state.ts";
import { successors } from "./flow/steps.ts";
import { flow, newFlow } from "./flow.ts";

/** What each phase may show. */
const shows: Record<PhaseKind, readonly SetupStepKind[]> = {
  new: ["progress"],
  releasing: ["progress", "form", "menu", "settings", "external", "oauth", "error", "done"],
  opening: ["progress"],
  checking: ["progress"],
  resting: ["form", "menu", "settings"],
  polling: ["external"],
  "signing-in": ["progress", "external", "oauth"],
  saving: ["progress"],
  starting: ["progress"],
  done: ["done"],
  failed: ["error"],
  over: ["progress", "form", "menu", "settings", "external", "oauth", "error", "done"],
};

const answers: Record<SetupAnswerKind, SetupAnswer> = {
  values: { kind: "values", values: { pin: "4711" } },
  choice: { kind: "choice", choice: "x" },
  settings: { kind: "settings", secrets: { token: "s" } },
  renew: { kind: "renew" },
  open: { kind: "open" },
  way: { kind: "way", way: "device" },
  retry: { kind: "retry" },
};
const fitting: Partial<Record<SetupStepKind, SetupAnswerKind[]>> = {
  form: ["values"],
  menu: ["choice"],
  settings: ["settings"],
  external: ["renew"],
  oauth: ["open", "way"],
  error: ["retry"],
};
const external = (qrText: string): SetupPluginState => ({
  kind: "awaiting_external",
  instructions: "",
  qrText,
  pollIntervalMs: 1_000,
  expiresInMs: 3_000,
});
const saidStates: SetupPluginState[] = [
  { kind: "awaiting_user_input", fields: [{ key: "pin", label: "PIN", type: "password" }] },
  { kind: "awaiting_choice", options: [{ value: "x", label: "X" }] },
  external("one"),
  external("two"),
  { kind: "awaiting_oauth", clientId: "c", issuer: "https://id.test" },
  { kind: "done", config: {}, account: "ada" },
  { kind: "error", message: "No." },
];
const problems = ["SETUP_FAILED", "DISK_FULL", "CONFIG_REFUSED"] as const;
const grant = {
  accessToken: "token",
  tokenType: "bearer",
  client: { id: "c" },
  endpoints: { issuer: "https://id.test", token: "https://id.test/token" },
};

type Work = { turn: number; brings(pick: number): Happening };

/** Plays the runner: notes what each effect would start, and which event it would still bring. */
class Surroundings {
  state: FlowState;
  /** What runs and will tell something, in the order in which it was begun. */
  work: Work[] = [];
  readonly timers = new Map<Timer, number>();
  readonly waiting = new Set<number>();
  plugin = false;
  signIn = false;
  finished = 0;
  saves = 0;
  releases = 0;
  #at = 0;
  #tickets = 0;

  constructor(asks: "plugin" | "form") {
    const { state, effects } = newFlow({ id: "w", displayName: "P", asks, at: 0 });
    this.state = state;
    for (const effect of effects) this.#begin(effect);
  }

  happen(happening: Happening): void {
    const before = this.state;
    if (happening.kind === "said" && happening.state.kind === "done" && happening.turn === before.turn) {
      this.finished += 1;
    }
    const { state, effects } = flow(before, { ...happening, at: this.#at });
    this.state = state;
    if (state.step.id !== before.step.id) {
      expect(successors[before.step.kind]).toContain(state.step.kind);
    }
    for (const effect of effects) this.#begin(effect);
    this.#check();
  }

  answer(answer: SetupAnswer, stepId = this.state.step.id): void {
    this.#tickets += 1;
    this.waiting.add(this.#tickets);
    this.happen({ kind: "answer", stepId, answer, ticket: this.#tickets });
  }

  /** What was begun comes to its end. */
  finish(index: number, pick: number): void {
    const [work] = this.work.splice(index % this.work.length, 1);
    if (work) this.happen(work.brings(pick));
  }

  pass(ms: number): void {
    this.#at += ms;
    for (const [timer, at] of [...this.timers]) {
      // A timer that fell due earlier in this step may have stopped this one.
      if (at > this.#at || this.timers.get(timer) !== at) continue;
      this.timers.delete(timer);
      this.happen({ kind: "due", timer });
    }
  }

  endPlugin(): void {
    if (!this.plugin || this.state.phase.kind === "releasing") return;
    this.plugin = false;
    this.happen({ kind: "plugin-ended" });
  }

  #begin(effect: Effect): void {
    switch (effect.kind) {
      case "open-plugin":
        // At most one process at a time: the one before was let go of.
        expect(this.plugin).toBe(false);
        this.plugin = true;
        this.#ask(effect.turn);
        break;
      case "submit":
      case "poll":
        this.#ask(effect.turn);
        break;
      case "open-form":
        this.#push(effect.turn, { kind: "form-ready", turn: effect.turn, config: {} });
        break;
      case "sign-in":
        this.#prepareSignIn(effect.turn);
        break;
      case "open-page":
        this.#push(this.state.turn, { kind: "page-opened", url: effect.url, opened: true }, false);
        break;
      case "save":
        this.saves += 1;
        this.#push(effect.turn, { kind: "saved", turn: effect.turn });
        break;
      case "start":
        this.#push(effect.turn, { kind: "started", turn: effect.turn }, false);
        break;
      case "release":
        this.releases += 1;
        this.work.push({ turn: this.state.turn, brings: () => this.#released() });
        break;
      case "timer":
        if (effect.at === null) this.timers.delete(effect.timer);
        else this.timers.set(effect.timer, effect.at);
        break;
      case "refuse":
        // Each answer is refused at most once.
        expect(this.waiting.delete(effect.ticket)).toBe(true);
        break;
      case "hide":
      case "show":
      case "forget":
        break;
      default:
        effect satisfies never;
    }
  }

  #released(): Happening {
    this.plugin = false;
    this.signIn = false;
    return { kind: "released" };
  }

  #ask(turn: number): void {
    const brings = (pick: number): Happening => {
      const state = this.plugin ? saidStates[pick % (saidStates.length + 1)] : undefined;
      return state ? { kind: "said", turn, state } : this.#failure(turn, pick);
    };
    this.work.push({ turn, brings });
  }

  #prepareSignIn(turn: number): void {
    // The one that waited before is ended first.
    this.signIn = false;
    const page = { way: "browser", ways: ["browser", "device"], url: `https://id.test/${turn}` } as const;
    const given = (pick: number): Happening => {
      this.signIn = false;
      return pick % 2 === 0 ? { kind: "signed-in", turn, grant } : this.#failure(turn, pick);
    };
    const brings = (pick: number): Happening => {
      if (pick % 4 === 0) return this.#failure(turn, pick);
      if (turn !== this.state.turn) return this.#failure(turn, pick);
      this.signIn = true;
      this.work.push({ turn, brings: given });
      return { kind: "sign-in-ready", turn, page: { ...page, ways: [...page.ways], expiresAt: 0 } };
    };
    this.work.push({ turn, brings });
  }

  #push(turn: number, happening: Happening, mayFail = true): void {
    const brings = (pick: number) => (mayFail && pick % 3 === 0 ? this.#failure(turn, pick) : happening);
    this.work.push({ turn, brings });
  }

  #failure(turn: number, pick: number): Happening {
    const code = problems[Math.floor(pick / 4) % problems.length] ?? "SETUP_FAILED";
    return { kind: "failed", turn, problem: { code, message: "It failed." } };
  }

  /** What holds at every moment. */
  #check(): void {
    const { phase, step, turn, expiresAt } = this.state;
    expect(shows[phase.kind]).toContain(step.kind);
    // What is not settled has something under way that will settle it.
    if (!isSettled(this.state) && phase.kind !== "new") {
      expect(this.work.filter((work) => work.turn === turn)).not.toEqual([]);
    }
    // A wizard that was left alone after its end has sent `forget` to its owner and waits for nothing more.
    const forgotten = expiresAt <= this.#at && ["done", "failed"].includes(phase.kind);
    const idle = this.timers.get("idle") ?? null;
    if (idle !== null || !forgotten) expect(idle).toBe(isClosing(this.state) ? null : expiresAt);
    expect(this.timers.get("poll") ?? null).toBe(phase.kind === "polling" ? phase.nextAt : null);
    // A process goes on only while something is still wanted of it.
    const keeps = phase.kind === "failed" && phase.retry.kind !== "begin";
    const needsPlugin = ["opening", "checking", "resting", "polling", "signing-in", "saving", "releasing"];
    if (this.plugin) expect(keeps || needsPlugin.includes(phase.kind)).toBe(true);
    if (this.signIn) expect(["signing-in", "releasing"]).toContain(phase.kind);
  }
}

const operation = fc.record({
  name: fc.constantFrom(
    "finish",
    "finish",
    "finish",
    "finish",
    "fit",
    "fit",
    "misfit",
    "stale",
    "ask",
    "pass",
    "idle",
    "crash",
    "cancel",
  ),
  index: fc.nat(5),
  pick: fc.nat(50),
});

test("no sequence of events leaves an impossible state, and each ends with all let go of", () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom("plugin" as const, "plugin" as const, "form" as const),
      fc.array(operation, { maxLength: 60 }),
      (asks, operations) => {
        const around = new Surroundings(asks);
        around.happen({ kind: "begin" });
        for (const { name, index, pick } of operations) {
          const { step, phase } = around.state;
          reached.add(phase.kind);
          const fit = fitting[step.kind] ?? ["retry"];
          if (name === "finish" && around.work.length > 0) around.finish(index, pick);
          if (name === "fit") around.answer(answers[fit[pick % fit.length] ?? "retry"]);
          if (name === "misfit") around.answer(Object.values(answers)[pick % 7] ?? answers.retry);
          if (name === "stale") around.answer(answers.retry, `w.${Math.max(0, pick - 25)}`);
          if (name === "ask") around.happen({ kind: "ask-now" });
          if (name === "pass") around.pass(700);
          if (name === "idle" && pick % 3 === 0) around.pass(IDLE_MS);
          if (name === "crash") around.endPlugin();
          if (name === "cancel" && pick % 8 === 0) around.happen({ kind: "cancel" });
        }
        const wasSaved = around.state.saved;
        around.happen({ kind: "cancel" });
        for (let pick = 1; around.work.length > 0; pick += 1) around.finish(0, pick);
        expect(around.state.phase.kind).toBe("over");
        reached.add("over");
        expect([around.plugin, around.signIn, around.timers.size]).toEqual([false, false, 0]);
        expect(around.releases).toBeGreaterThan(0);
        // Whatever the plugin handed over was saved or tried to be; what is saved stays saved.
        expect(around.saves).toBeGreaterThanOrEqual(around.finished);
        if (wasSaved) expect(around.state.saved).toBe(true);
        // Whatever happens then changes nothing.
        const { state } = around;
        for (const kind of ["begin", "ask-now", "cancel", "released", "plugin-ended"] as const)
          expect(flow(state, { kind, at: 1 })).toEqual({ state, effects: [] });
      },
    ),
    { numRuns: 2_000 },
  );
  expect([...reached].sort()).toEqual(
    Object.keys(shows)
      .filter((kind) => kind !== "new")
      .sort(),
  );
});
