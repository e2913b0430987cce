import { z } from "zod";
import { problemSchema } from "../problem.ts";

/** How much the model thinks before it answers. Providers that know no levels take no notice. */
export const thinkingLevelSchema = z.enum(["off", "minimal", "low", "medium", "high", "xhigh"]);
export type ThinkingLevel = z.infer<typeof thinkingLevelSchema>;

export const noticeLevelSchema = z.enum(["info", "warn", "error"]);
export type NoticeLevel = z.infer<typeof noticeLevelSchema>;

/** The colours in which a plugin's renderer can draw; how each looks is decided by the theme. */
export const lineColors = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "grey",
  "darkgrey",
  "darkred",
  "darkgreen",
  "darkyellow",
  "darkblue",
  "darkmagenta",
  "darkcyan",
] as const;

/** A line as a plugin's renderer drew it. An unknown colour is dark grey. */
export const drawnLineSchema = z.object({
  color: z.enum(lineColors).catch("darkgrey"),
  text: z.string().max(4_096),
});
export type DrawnLine = z.infer<typeof drawnLineSchema>;

/** A name that a plugin gives its entries and messages. */
const ownType = z.string().trim().min(1).max(128);
const lines = z.array(drawnLineSchema).max(500).optional();
/** A message for the model. */
const spoken = z
  .string()
  .max(64 * 1024)
  .refine((text) => text.trim() !== "", "a text that is not empty");
const modelId = z.string().trim().min(1).max(256);
/** An entry of the conversation, as a plugin was told of it. */
const entryId = z.string().min(1).max(256);

/** What a plugin asks of the tree of a conversation. */
export const treeRequestSchema = z.discriminatedUnion("op", [
  /** Names an entry; null takes the name away. */
  z.object({ op: z.literal("label"), id: entryId, label: z.string().trim().min(1).max(200).nullable() }),
  /** A branch that begins before an entry, whose text is then offered anew, or at it. */
  z.object({ op: z.literal("fork"), id: entryId, position: z.enum(["before", "at"]) }),
  z.object({ op: z.literal("navigate"), id: entryId }),
  /** A new conversation. `parent`: the one that it comes from; absent: the present one. */
  z.object({ op: z.literal("new"), parent: entryId.optional() }),
  /** Shows the conversation whose id begins so. */
  z.object({ op: z.literal("switch"), prefix: entryId }),
]);
export type TreeRequest = z.infer<typeof treeRequestSchema>;

/** What stays in the conversation, for the person alone: the model is not sent it. */
const kept = [
  /** The next run of the conversation has this model of the agent's provider. */
  z.object({ kind: z.literal("nextModel"), model: modelId }),
  /** From the next model call on. */
  z.object({ kind: z.literal("thinkingLevel"), level: thinkingLevelSchema }),
  z.object({ kind: z.literal("notify"), text: z.string().min(1), level: noticeLevelSchema }),
  /** `display: false`: it is not shown. */
  z.object({ kind: z.literal("entry"), type: ownType, data: z.unknown(), display: z.boolean(), lines }),
  z.object({
    kind: z.literal("customMessage"),
    type: ownType.optional(),
    content: z.string().max(128 * 1024),
    display: z.boolean(),
    lines,
  }),
] as const;

/**
 * What a hook, a command or a tool of a plugin asks for beside its answer. It concerns the conversation that the call
 * belongs to, and no other.
 */
export const effectSchema = z.discriminatedUnion("kind", [
  ...kept,
  /** The run ends when the results of the present model call's tools are in. */
  z.object({ kind: z.literal("stopAfterTurn") }),
  /** A message to the model before its next call in this run. */
  z.object({ kind: z.literal("steer"), text: spoken }),
  /** A message to the model when the run would stop: it goes on. */
  z.object({ kind: z.literal("followUp"), text: spoken }),
  /** A run of its own after this one, which answers this text. */
  z.object({ kind: z.literal("run"), text: spoken }),
  z.object({ kind: z.literal("session"), request: treeRequestSchema }),
]);
export type Effect = z.infer<typeof effectSchema>;

/** What a plugin left in a conversation by what it asked for. */
export const pluginSaidSchema = z.discriminatedUnion("kind", [
  ...kept,
  /** It was not done. */
  z.object({
    kind: z.literal("refused"),
    effect: z.enum(["nextModel", "steer", "followUp", "run", "session"]),
    why: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("unknown_model"), model: modelId }),
      /** The run had been ended, so that the model was not asked again. */
      z.object({ kind: z.literal("run_over") }),
      /** Plugins began too many runs since the person last wrote. */
      z.object({ kind: z.literal("too_many_runs") }),
      /** Not in a conversation of a channel. */
      z.object({ kind: z.literal("in_chat") }),
      z.object({ kind: z.literal("failed"), problem: problemSchema }),
    ]),
  }),
]);
export type PluginSaid = z.infer<typeof pluginSaidSchema>;
