import { z } from "zod";
import { formFieldSchema, formValueSchema, mostFormFields } from "./form.ts";
import { isPageAddress } from "./page-address.ts";
import { wantedOfModelSchema } from "./wanted-of-model.ts";

export const dialogQuestionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("confirm"), message: z.string(), default: z.boolean().optional() }),
  z.object({
    kind: z.literal("select"),
    message: z.string(),
    options: z.array(z.object({ value: z.string(), label: z.string() })).min(1),
    default: z.string().optional(),
  }),
  z.object({
    kind: z.literal("multi_select"),
    message: z.string(),
    options: z.array(z.object({ value: z.string(), label: z.string() })).min(1),
    default: z.array(z.string()).optional(),
  }),
  z.object({
    kind: z.literal("text"),
    message: z.string(),
    default: z.string().optional(),
    placeholder: z.string().optional(),
    secret: z.boolean().optional(),
    /**
     * A condition for the answer. `path_exists`: a path relative to the agent's workspace, checked by the code that
     * asks, not by the screen.
     */
    validate: z.enum(["non_empty", "integer", "path_exists", "url"]).optional(),
  }),
  /** Several values at once. Without fields it is agreed to, or declined. */
  z.object({
    kind: z.literal("form"),
    message: z.string(),
    fields: z
      .array(formFieldSchema)
      .max(mostFormFields)
      .refine(
        (fields) => new Set(fields.map(({ name }) => name)).size === fields.length,
        "two fields of one name",
      ),
  }),
  /** A page that the person opens in their browser, and says when they have finished there. */
  z.object({
    kind: z.literal("link"),
    message: z.string(),
    url: z.string().refine(isPageAddress, "an address of a page: https, or http on this computer"),
  }),
]);
export type DialogQuestion = z.infer<typeof dialogQuestionSchema>;

/** What a form or a link is answered with. `values`: of a form, by the names of its fields. */
const replySchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("accept"), values: z.record(z.string(), formValueSchema).default({}) }),
  z.object({ action: z.literal("decline") }),
]);

/**
 * A boolean, a string, a list of strings or a reply by the kind of the question; null when nobody answered, or the person
 * called it off.
 */
export const dialogAnswerSchema = z.union([
  z.boolean(),
  z.string(),
  z.array(z.string()),
  replySchema,
  z.null(),
]);
export type DialogAnswer = z.infer<typeof dialogAnswerSchema>;

/** What a question of Patchbay about a plugin is about: a host that it wants to reach, or what it wants to ask the model. */
export const dialogSubjectSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("host"),
    /** A host name or address, with a port where one is meant. Printable ASCII. */
    host: z.string(),
    /** Where it is, as `your local network`, when it is not on the public internet. */
    place: z.string().nullable(),
  }),
  wantedOfModelSchema,
]);
export type DialogSubject = z.infer<typeof dialogSubjectSchema>;

export const dialogSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  pluginKey: z.string(),
  /** What the plugin was doing when it asked (a tool, hook or command), for the heading. */
  context: z.string(),
  /** The conversation, or the connection of another program, whose call waits for the answer. */
  sessionId: z.string().optional(),
  question: dialogQuestionSchema,
  /** Set when Patchbay itself asks, about a plugin. Absent: the plugin asks, in its own words. */
  about: dialogSubjectSchema.optional(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Dialog = z.infer<typeof dialogSchema>;
