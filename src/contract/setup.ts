import { z } from "zod";
import { problemSchema } from "./problem.ts";

/** Why the person is in the wizard. */
export const setupReasonSchema = z.enum(["first", "reconfigure", "sign_in_again"]);
export type SetupReason = z.infer<typeof setupReasonSchema>;

export const setupFieldSchema = z.object({
  key: z.string(),
  label: z.string(),
  /**
   * `choices`: some of `options`; the answer is their values with commas between them. `choice`: one of them. `switch`: the
   * answer is `true` or `false`.
   */
  type: z.enum(["text", "phone", "password", "number", "choices", "choice", "switch"]),
  options: z
    .array(z.object({ value: z.string(), label: z.string(), help: z.string().optional() }))
    .optional(),
  required: z.boolean().optional(),
  /** What it is until the person says otherwise, in the form of an answer. */
  default: z.string().optional(),
  /** Of numbers: the least and the most that is taken. */
  min: z.number().optional(),
  max: z.number().optional(),
  placeholder: z.string().optional(),
  help: z.string().optional(),
  /** Few people need it: it is folded away. */
  advanced: z.boolean().optional(),
});
export type SetupField = z.infer<typeof setupFieldSchema>;

/** How polling the plugin's setup goes. The core counts; a failed poll does not end the wizard. */
export const setupPollSchema = z.object({
  failures: z.number().int(),
  problem: problemSchema.nullable(),
  nextAt: z.iso.datetime().nullable(),
});

export const signInWaySchema = z.enum(["browser", "device"]);
export type SignInWay = z.infer<typeof signInWaySchema>;

/**
 * What a step of signing in at a server is about. Screens say it in their own words; title and instructions are English,
 * for terminals. Absent: the step's texts are the plugin's own.
 */
export const setupAboutSchema = z.discriminatedUnion("kind", [
  /** Who signs the person in for which server, with which rights; `more`: those that it has asked for anew. */
  z.object({
    kind: z.literal("sign-in"),
    server: z.string(),
    provider: z.string(),
    scopes: z.array(z.string()),
    more: z.array(z.string()),
    /** The client that came with the server and is used there; `secret`: its secret is sent to the provider. */
    client: z.object({ id: z.string(), secret: z.boolean() }).optional(),
  }),
  /** The provider knows no apps that it was not told of: the person makes a client id there. */
  z.object({ kind: z.literal("client-id"), provider: z.string() }),
  /** A client that signs in for itself, without a person. `fault`: why it cannot as it was entered. */
  z.object({
    kind: z.literal("account"),
    provider: z.string(),
    fault: z.enum(["secret", "key", "no-keys"]).optional(),
  }),
  /** The server wants a key and does not say where one signs in. */
  z.object({ kind: z.literal("key"), server: z.string() }),
]);
export type SetupAbout = z.infer<typeof setupAboutSchema>;

const base = {
  /** Id of this step. An answer must name it; an answer to another step is refused. */
  id: z.string(),
  title: z.string().optional(),
  instructions: z.string().optional(),
  /** The titles of all steps, when the plugin gives them; `step` is the number of this one, from 0. */
  steps: z.array(z.string()).optional(),
  step: z.number().int().optional(),
  about: setupAboutSchema.optional(),
};

/**
 * The page that the wizard shows. The set is closed; a table in `main/setup/flow/steps.ts` says which step may follow
 * which.
 */
export const setupStepSchema = z.discriminatedUnion("kind", [
  /** Work is in progress; there is nothing to answer. */
  z.object({
    ...base,
    kind: z.literal("progress"),
    doing: z.enum(["opening", "checking", "saving", "starting"]),
  }),
  /** Fields of the plugin's own setup. Answer: `values`. */
  z.object({
    ...base,
    kind: z.literal("form"),
    fields: z.array(setupFieldSchema),
    /** What was wrong with the last answer, in the plugin's words. */
    problem: z.string().optional(),
    page: z.object({ url: z.string(), label: z.string() }).optional(),
    copy: z.object({ text: z.string(), label: z.string() }).optional(),
  }),
  /** A choice of the plugin's own setup. Answer: `choice`. */
  z.object({
    ...base,
    kind: z.literal("menu"),
    options: z.array(z.object({ value: z.string(), label: z.string(), help: z.string().optional() })),
  }),
  /** The plugin's settings as one form, drawn from its schema. Answer: `settings`. */
  z.object({ ...base, kind: z.literal("settings"), config: z.record(z.string(), z.unknown()) }),
  /**
   * The person does something outside of Patchbay: scans a code, visits a page. Answer: `renew` asks for a new code.
   */
  z.object({
    ...base,
    kind: z.literal("external"),
    qrText: z.string().optional(),
    redirectUrl: z.string().optional(),
    code: z.string().optional(),
    shownAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    attempt: z.object({ number: z.number().int(), of: z.number().int().optional() }).optional(),
    poll: setupPollSchema,
  }),
  /**
   * A sign-in (OAuth) that the core carries out. Answer: `open` opens the page again, `way` takes another way to sign
   * in.
   */
  z.object({
    ...base,
    kind: z.literal("oauth"),
    way: signInWaySchema,
    ways: z.array(signInWaySchema),
    /** The page to sign in at. */
    url: z.string(),
    /** False: the page could not be opened from here; the person has to follow the link. */
    opened: z.boolean(),
    /** Device code only: what to type there. */
    userCode: z.string().optional(),
    expiresAt: z.iso.datetime(),
  }),
  /** The settings are saved and the plugin is switched on. Whether it runs is shown by the plugin's row, not here. */
  z.object({ ...base, kind: z.literal("done"), account: z.string().nullable() }),
  /** It failed. Answer, when `canRetry`: `retry`. */
  z.object({ ...base, kind: z.literal("error"), problem: problemSchema, canRetry: z.boolean() }),
]);
export type SetupStep = z.infer<typeof setupStepSchema>;
export type SetupStepKind = SetupStep["kind"];

/** One run of the wizard for (agent, plugin). */
export const setupViewSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  pluginKey: z.string(),
  reason: setupReasonSchema,
  step: setupStepSchema,
  /** The steps before this one, for the list at the side. */
  trail: z.array(z.object({ kind: z.string(), title: z.string().optional() })),
  startedAt: z.iso.datetime(),
  /** When the wizard ends by itself if the person does nothing. */
  expiresAt: z.iso.datetime(),
});
export type SetupView = z.infer<typeof setupViewSchema>;

const answers = [
  /** The typed values by the field's key. A field that is left out counts as empty. */
  z.object({ kind: z.literal("values"), values: z.record(z.string(), z.union([z.string(), z.number()])) }),
  /** The `value` of one of the options. */
  z.object({ kind: z.literal("choice"), choice: z.string() }),
  /** The same fields as for `agentPlugins.set`. Without `config` the settings stay as they are. */
  z.object({
    kind: z.literal("settings"),
    config: z.record(z.string(), z.unknown()).optional(),
    secrets: z.record(z.string(), z.string()).optional(),
  }),
  /** Asks for a new code or page in place of the one that is shown. */
  z.object({ kind: z.literal("renew") }),
  /** Opens the page to sign in at once more. */
  z.object({ kind: z.literal("open") }),
  /** Chooses another way to sign in, one of the step's `ways`. */
  z.object({ kind: z.literal("way"), way: signInWaySchema }),
  /** Tries again what failed. */
  z.object({ kind: z.literal("retry") }),
] as const;
/** The person's answer to a step. `setupAnswers` says which kinds each step accepts. */
export const setupAnswerSchema = z.discriminatedUnion("kind", answers, {
  error: `expected one of the kinds ${answers.map(({ shape }) => shape.kind.value).join(", ")}`,
});
export type SetupAnswer = z.infer<typeof setupAnswerSchema>;
export type SetupAnswerKind = SetupAnswer["kind"];

/**
 * The kinds of answers that each step accepts. Any other is refused with BAD_INPUT, whose message names the accepted
 * ones.
 */
export const setupAnswers: Readonly<Record<SetupStepKind, readonly SetupAnswerKind[]>> = {
  progress: [],
  form: ["values"],
  menu: ["choice"],
  settings: ["settings"],
  external: ["renew"],
  oauth: ["open", "way"],
  done: [],
  error: ["retry"],
};
