import { describe, expect, test } from "vitest";
import type { SetupAnswer, SetupAnswerKind } from "../../contract/index.ts";
import type { SetupPluginState } from "../runtimes/runtime.ts";
import { IDLE_MS } from "./flow/endings.ts";
import type { FlowState, Happening, SignInPage } from "./flow/state.ts";
import { flow, newFlow } from "./flow.ts";

const at = Date.parse("2026-01-01T00:00:00Z");
const problem = { code: "SETUP_FAILED", message: "It failed." } as const;
const external = (qrText: string, rest: object = {}): SetupPluginState => ({
  kind: "awaiting_external",
  instructions: "",
  qrText,
  pollIntervalMs: 2_000,
  ...rest,
});
const says = {
  form: {
    kind: "awaiting_user_input",
    fields: [{ key: "pin", label: "PIN", type: "password", required: true }],
  },
  menu: { kind: "awaiting_choice", options: [{ value: "x", label: "X" }] },
  code: external("one"),
  otherCode: external("two"),
  signIn: { kind: "awaiting_oauth", clientId: "c", issuer: "https://id.test" },
  alone: {
    kind: "awaiting_oauth",
    clientId: "c",
    provider: {
      issuer: "https://id.test",
      answersWithIssuer: false,
      resource: "https://mcp.test",
      inside: [],
      forItself: true,
    },
  },
  done: { kind: "done", config: { a: 1 }, account: "ada" },
  error: { kind: "error", message: "No." },
} satisfies Record<string, SetupPluginState>;
const page: SignInPage = {
  way: "browser",
  ways: ["browser", "device"],
  url: "https://id.test/",
  expiresAt: at,
};
const grant = {
  accessToken: "token",
  tokenType: "bearer",
  client: { id: "c" },
  endpoints: { issuer: "https://id.test", token: "https://id.test/token" },
};
const answers: Record<SetupAnswerKind, SetupAnswer> = {
  values: { kind: "values", values: { pin: "4711" } },
  choice: { kind: "choice", choice: "x" },
  settings: { kind: "settings", config: { b: 2 }, secrets: { token: "s" } },
  renew: { kind: "renew" },
  open: { kind: "open" },
  way: { kind: "way", way: "device" },
  retry: { kind: "retry" },
};

/** Something that happens, given where the wizard stands. */
type Given = Happening | ((state: FlowState) => Happening);
const said = (state: SetupPluginState) => (now: FlowState) =>
  ({ kind: "said", turn: now.turn, state }) as const;
const answered = (answer: SetupAnswer) => (now: FlowState) =>
  ({ kind: "answer", stepId: now.step.id, ticket: 7, answer }) as const;
const brought = (kind: "saved" | "started") => (now: FlowState) => ({ kind, turn: now.turn });
const failed = (now: FlowState) => ({ kind: "failed", turn: now.turn, problem }) as const;
const refused = (now: FlowState) =>
  ({ kind: "failed", turn: now.turn, problem: { code: "CONFIG_REFUSED", message: "No." } }) as const;
const formReady = (now: FlowState) => ({ kind: "form-ready", turn: now.turn, config: { a: 1 } }) as const;
const signInReady = (now: FlowState) => ({ kind: "sign-in-ready", turn: now.turn, page }) as const;
const signedIn = (now: FlowState) => ({ kind: "signed-in", turn: now.turn, grant }) as const;
const opened: Given = { kind: "page-opened", url: page.url, opened: true };
const released: Given = { kind: "released" };
const begin: Given = { kind: "begin" };
const cancel: Given = { kind: "cancel" };

/** Everything that can happen, by name. */
const events = {
  begin,
  ...Object.fromEntries(Object.values(answers).map((answer) => [answer.kind, answered(answer)])),
  "an old answer": { kind: "answer", stepId: "w.0", ticket: 7, answer: answers.retry },
  "ask-now": { kind: "ask-now" },
  cancel,
  "due poll": { kind: "due", timer: "poll" },
  "due idle": { kind: "due", timer: "idle" },
  ...Object.fromEntries(Object.entries(says).map(([name, state]) => [`says ${name}`, said(state)])),
  "form-ready": formReady,
  "sign-in-ready": signInReady,
  "page-opened": opened,
  "signed-in": signedIn,
  saved: brought("saved"),
  started: brought("started"),
  failed,
  refused,
  released,
  "plugin-ended": { kind: "plugin-ended" },
} as Record<string, Given>;

const untilForm = [begin, said(says.form)];
const untilCode = [begin, said(says.code)];
const untilSignIn = [begin, said(says.signIn), signInReady, opened];
const untilSaving = [begin, said(says.done)];
const untilSettings = [begin, formReady];
const untilFormSaving = [...untilSettings, answered(answers.settings)];

/** How each place is reached. A place is the shown step together with the phase behind it. */
const places: Record<string, { asks?: "form"; by: Given[] }> = {
  new: { by: [] },
  opening: { by: [begin] },
  "opening a form": { asks: "form", by: [begin] },
  "a form": { by: untilForm },
  checking: { by: [...untilForm, answered(answers.values)] },
  "a menu": { by: [begin, said(says.menu)] },
  "a code": { by: untilCode },
  "a code that is asked about": { by: [...untilCode, { kind: "ask-now" }] },
  "a code that is to be renewed": { by: [...untilCode, answered(answers.renew)] },
  "a sign-in that is prepared": { by: [begin, said(says.signIn)] },
  "a sign-in whose page is opened": { by: [begin, said(says.signIn), signInReady] },
  "a sign-in without a person": { by: [begin, said(says.alone)] },
  "a sign-in": { by: untilSignIn },
  settings: { asks: "form", by: untilSettings },
  saving: { by: untilSaving },
  "saving a form": { asks: "form", by: untilFormSaving },
  "saving, cancelled": { by: [...untilSaving, cancel] },
  "saving a form, cancelled": { asks: "form", by: [...untilFormSaving, cancel] },
  "letting go, saved": { by: [...untilSaving, brought("saved")] },
  "letting go, failed": { by: [begin, failed] },
  "letting go, to begin anew": { by: [begin, failed, released, answered(answers.retry)] },
  "letting go, cancelled": { by: [begin, cancel] },
  starting: { by: [...untilSaving, brought("saved"), released] },
  done: { by: [...untilSaving, brought("saved"), released, brought("started")] },
  "an error": { by: [begin, failed, released] },
  "a sign-in that failed": { by: [...untilSignIn, failed] },
  "what could not be saved": { by: [...untilSaving, failed] },
  over: { by: [begin, cancel, released] },
};

/**
 * Place → event → result, written as "phase step: effects" (timers and `show` left out). Events that are not listed
 * change nothing; an answer that is not listed is refused with the code under `answers`.
 */
const table: Record<keyof typeof places, Record<string, string>> = {
  new: {
    begin: "opening progress: open-plugin",
    cancel: "releasing progress: release",
    "due idle": "releasing progress: release",
  },
  opening: {
    cancel: "releasing progress: release",
    "due idle": "releasing progress: release",
    "says form": "resting form",
    "says menu": "resting menu",
    "says code": "polling external",
    "says otherCode": "polling external",
    "says signIn": "signing-in progress: sign-in",
    "says alone": "signing-in progress: sign-in",
    "says done": "saving progress: save",
    "says error": "releasing progress: release",
    failed: "releasing progress: release",
    refused: "releasing progress: release",
    "plugin-ended": "releasing progress: release",
  },
  "a form": {
    values: "checking progress: hide submit",
    cancel: "releasing form: release",
    "due idle": "releasing form: release",
    "plugin-ended": "releasing form: release",
  },
  "a menu": {
    choice: "checking progress: submit",
    cancel: "releasing menu: release",
    "due idle": "releasing menu: release",
    "plugin-ended": "releasing menu: release",
  },
  "a code": {
    renew: "polling external: poll",
    "ask-now": "polling external: poll",
    "due poll": "polling external: poll",
    cancel: "releasing external: release",
    "due idle": "releasing external: release",
    "plugin-ended": "releasing external: release",
  },
  "a code that is asked about": {
    renew: "polling external",
    "ask-now": "polling external",
    "due poll": "polling external",
    cancel: "releasing external: release",
    "due idle": "releasing external: release",
    "says form": "resting form",
    "says menu": "resting menu",
    "says code": "polling external",
    "says otherCode": "polling external",
    "says signIn": "signing-in external: sign-in",
    "says alone": "signing-in external: sign-in",
    "says done": "saving progress: save",
    "says error": "releasing external: release",
    failed: "polling external",
    refused: "polling external",
    "plugin-ended": "releasing external: release",
  },
  "a sign-in that is prepared": {
    cancel: "releasing progress: release",
    "due idle": "releasing progress: release",
    "sign-in-ready": "signing-in oauth: open-page",
    failed: "failed error",
    refused: "failed error",
    "plugin-ended": "releasing progress: release",
  },
  "a sign-in without a person": {
    cancel: "releasing progress: release",
    "due idle": "releasing progress: release",
    "sign-in-ready": "signing-in oauth: open-page",
    "signed-in": "checking progress: hide submit",
    failed: "releasing progress: release",
    refused: "releasing progress: release",
    "plugin-ended": "releasing progress: release",
  },
  "a sign-in whose page is opened": {
    open: "signing-in oauth: open-page",
    way: "signing-in progress: sign-in",
    cancel: "releasing oauth: release",
    "due idle": "releasing oauth: release",
    "page-opened": "signing-in oauth",
    "signed-in": "checking progress: hide submit",
    failed: "failed error",
    refused: "failed error",
    "plugin-ended": "releasing oauth: release",
  },
  settings: {
    settings: "saving progress: hide save",
    cancel: "releasing settings: release",
    "due idle": "releasing settings: release",
    "plugin-ended": "releasing settings: release",
  },
  saving: {
    cancel: "saving progress",
    "due idle": "saving progress",
    saved: "releasing progress: release",
    failed: "failed error",
    refused: "releasing progress: release",
    "plugin-ended": "saving progress",
  },
  "saving, cancelled": {
    "due idle": "saving progress",
    saved: "releasing progress: release",
    failed: "releasing progress: release",
    refused: "releasing progress: release",
    "plugin-ended": "saving progress",
  },
  "letting go, saved": {
    answers: "SETUP_STALE",
    cancel: "releasing progress",
    "due idle": "releasing progress",
    released: "starting progress: start",
    "plugin-ended": "releasing progress",
  },
  starting: {
    cancel: "releasing progress: release",
    "due idle": "starting progress",
    started: "done done",
    failed: "done done",
    refused: "done done",
    "plugin-ended": "starting progress",
  },
  done: { cancel: "releasing done: release", "due idle": "done done: forget", "plugin-ended": "done done" },
  "an error": {
    retry: "releasing progress: release",
    cancel: "releasing error: release",
    "due idle": "failed error: forget",
    "plugin-ended": "failed error",
  },
  over: { answers: "SETUP_NOT_FOUND", "plugin-ended": "over progress" },
};
const like = (name: string, other: Record<string, string>) => ({ ...table[name], ...other });
Object.assign(table, {
  "opening a form": {
    cancel: "releasing progress: release",
    "due idle": "releasing progress: release",
    "form-ready": "resting settings",
    failed: "releasing progress: release",
    refused: "releasing progress: release",
    "plugin-ended": "releasing progress: release",
  },
  checking: like("opening", {}),
  "a code that is to be renewed": like("a code that is asked about", {
    "says code": "releasing progress: release",
    failed: "releasing progress: release",
    refused: "releasing progress: release",
  }),
  "a sign-in": like("a sign-in whose page is opened", {}),
  "saving a form": like("saving", {
    failed: "resting settings: refuse",
    refused: "resting settings: refuse",
  }),
  "saving a form, cancelled": like("saving, cancelled", {
    failed: "releasing progress: refuse release",
    refused: "releasing progress: refuse release",
  }),
  "letting go, failed": like("letting go, saved", { released: "failed error" }),
  "letting go, to begin anew": like("letting go, saved", { released: "opening progress: open-plugin" }),
  "letting go, cancelled": {
    answers: "SETUP_STALE",
    "due idle": "releasing progress",
    released: "over progress",
    "plugin-ended": "releasing progress",
  },
  "a sign-in that failed": like("an error", { retry: "signing-in progress: sign-in" }),
  "what could not be saved": like("an error", { retry: "saving progress: save" }),
});

function reach({
  asks = "plugin" as "plugin" | "form",
  by,
}: {
  asks?: "plugin" | "form";
  by: Given[];
}): FlowState {
  let { state } = newFlow({ id: "w", displayName: "P", asks, at });
  for (const given of by) state = happen(state, given).state;
  return state;
}

function happen(state: FlowState, given: Given, time = at) {
  const happening = typeof given === "function" ? given(state) : given;
  return flow(state, { ...happening, at: time });
}

describe.each(Object.keys(places))("at %s", (name) => {
  const before = reach(places[name] as { by: Given[] });
  const listed = table[name] ?? {};

  test.each(Object.keys(events))("%s", (event) => {
    const { state, effects } = happen(before, events[event] as Given, at + 1);
    const refusal = effects.find((effect) => effect.kind === "refuse");
    if (event === "an old answer") {
      expect(refusal?.problem.code).toBe("SETUP_STALE");
      expect(state).toBe(before);
    } else if (event in answers && !listed[event]) {
      expect(refusal?.problem.code).toBe(listed.answers ?? "BAD_INPUT");
      // Only `expiresAt` moves: the answer shows that the person is still there.
      expect(state).toEqual({ ...before, expiresAt: state.expiresAt });
    } else if (listed[event]) {
      const kinds = effects.map(({ kind }) => kind).filter((kind) => kind !== "show" && kind !== "timer");
      const place = `${state.phase.kind} ${state.step.kind}`;
      expect(kinds.length > 0 ? `${place}: ${kinds.join(" ")}` : place).toBe(listed[event]);
    } else {
      expect({ state, effects }).toEqual({ state: before, effects: [] });
    }
  });

  test("what work brings that does not count any more changes nothing", () => {
    for (const given of [
      failed,
      formReady,
      signInReady,
      signedIn,
      said(says.done),
      brought("saved"),
      brought("started"),
    ]) {
      const late = { ...given(before), turn: before.turn - 1 };
      expect(flow(before, { ...late, at })).toEqual({ state: before, effects: [] });
    }
  });
});

describe("asking about something outside", () => {
  const asked = (given: Given[], time = at) =>
    given.reduce((state, one) => happen(state, one, time).state, reach({ by: untilCode }));
  const pollAt = (state: FlowState) => state.phase.kind === "polling" && state.phase.nextAt;

  test("goes at the plugin's pace, and after failures after 2, 2, 4 … 30 seconds, which the screen is told", () => {
    let state = reach({ by: untilCode });
    expect(pollAt(state)).toBe(at + 2_000);
    for (const [failures, pause] of [2_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      state = happen(happen(state, { kind: "due", timer: "poll" }).state, failed).state;
      expect(pollAt(state)).toBe(at + pause);
      expect(state.step).toMatchObject({
        poll: { failures: failures + 1, problem, nextAt: new Date(at + pause).toISOString() },
      });
    }
    state = happen(happen(state, { kind: "ask-now" }).state, said(says.code)).state;
    expect(pollAt(state)).toBe(at + 2_000);
    expect(state.step).toMatchObject({ poll: { failures: 0, problem: null, nextAt: null } });
  });

  test("asks right after a code has expired, and at its pace from then on", () => {
    const short = external("one", { expiresInMs: 500 });
    let state = reach({ by: [begin, said(short)] });
    expect(pollAt(state)).toBe(at + 600);
    state = happen(
      happen(state, { kind: "due", timer: "poll" }, at + 600).state,
      said(short),
      at + 600,
    ).state;
    expect(pollAt(state)).toBe(at + 2_600);
  });

  test("a code that rotates is another step with a new id, and keeps the wizard awake", () => {
    const before = reach({ by: untilCode });
    const after = asked([{ kind: "ask-now" }, said(says.otherCode)], at + 9);
    expect(after.step).toMatchObject({ kind: "external", qrText: "two" });
    expect(after.step.id).not.toBe(before.step.id);
    expect(after.trail).toEqual(before.trail);
    expect(after.expiresAt).toBe(at + 9 + IDLE_MS);
  });

  test("a new code that was asked for while the plugin is asked is what it says then", () => {
    expect(asked([{ kind: "ask-now" }, answered(answers.renew), said(says.otherCode)]).phase).toMatchObject({
      kind: "polling",
      renewing: false,
    });
  });
});

describe("an answer is refused", () => {
  test.each<[string, Given[], SetupAnswer, string]>([
    [
      "that is meant for another kind of step",
      untilForm,
      answers.retry,
      'This step of the setup expects "values": what is typed into its fields. It cannot be answered with "retry".',
    ],
    [
      "while the setup works",
      [begin],
      answers.values,
      'The setup is working and expects no answer. It cannot be answered with "values".',
    ],
    ["that lacks what is required", untilForm, { kind: "values", values: {} }, "PIN is missing."],
    [
      "that is not among the choices",
      [begin, said(says.menu)],
      { kind: "choice", choice: "y" },
      "Choose one of the answers that are offered: x.",
    ],
    [
      "that names a way to sign in that is not offered",
      [
        begin,
        said(says.signIn),
        (now) => ({ ...signInReady(now), page: { ...page, ways: ["browser"] } }),
        opened,
      ],
      answers.way,
      "Choose one of the ways to sign in: browser.",
    ],
  ])("%s, in a sentence", (_name, by, answer, message) => {
    const { effects } = happen(reach({ by }), answered(answer));
    expect(effects).toContainEqual({
      kind: "refuse",
      ticket: 7,
      problem: expect.objectContaining({ code: "BAD_INPUT", message }),
    });
  });
});

test("a sign-in that failed begins anew when the plugin's process has ended since", () => {
  const state = reach({ by: [...untilSignIn, failed, { kind: "plugin-ended" }] });
  expect(happen(state, answered(answers.retry)).state.phase).toEqual({
    kind: "releasing",
    next: { kind: "open" },
  });
});

test("what could not be saved is saved again as it was; what the plugin refused begins anew", () => {
  const again = happen(reach({ by: [...untilSaving, failed] }), answered(answers.retry));
  expect(again.effects).toContainEqual({
    kind: "save",
    turn: again.state.turn,
    outcome: { config: { a: 1 }, secrets: {}, account: "ada", grant: null, whole: false },
  });
  const { phase } = reach({ by: [...untilSaving, refused] });
  expect(phase).toMatchObject({ kind: "releasing", next: { kind: "fail", retry: { kind: "begin" } } });
});

test("cancelled while it saves, it is saved, let go of and then started", () => {
  const saving = reach({ by: [...untilSaving, cancel] });
  const saved = happen(saving, brought("saved"));
  expect(saved.effects).toContainEqual({ kind: "release", cancel: false, why: "The setup was cancelled." });
  const over = happen(saved.state, released);
  expect(over.state).toMatchObject({ phase: { kind: "over" }, saved: true });
  expect(over.effects.map(({ kind }) => kind)).toEqual(["start"]);
});

test("beginning anew forgets what was done and what a provider gave", () => {
  const by = [...untilSignIn, signedIn, said(says.error), released, answered(answers.retry)];
  expect(reach({ by: by.slice(0, -1) })).toMatchObject({ grant, trail: [{ kind: "oauth" }] });
  expect(reach({ by })).toMatchObject({ grant: null, trail: [] });
});

test("what was typed into a password field, or given by a provider, is hidden before the plugin is told", () => {
  for (const [by, last, values] of [
    [untilForm, answered(answers.values), ["4711"]],
    [untilSignIn, signedIn, ["token"]],
  ] as const) {
    const { effects } = happen(reach({ by: [...by] }), last);
    expect(effects.filter(({ kind }) => kind === "hide" || kind === "submit")).toMatchObject([
      { kind: "hide", values },
      { kind: "submit" },
    ]);
  }
});
