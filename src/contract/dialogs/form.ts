import { z } from "zod";

/** Most fields of one form. */
export const mostFormFields = 100;

const named = {
  /** Under which the value is given; unique within the form, and never shown. */
  name: z.string().min(1).max(200),
  title: z.string(),
  description: z.string().optional(),
  required: z.boolean(),
};
const optionsSchema = z
  .array(z.object({ value: z.string(), label: z.string() }))
  .min(1)
  .max(500);
const count = z.number().int().min(0);

/** A field of a form. Forms are flat: no field holds others. */
export const formFieldSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    ...named,
    format: z.enum(["email", "uri", "date", "date-time"]).optional(),
    /** In characters. */
    minLength: count.optional(),
    maxLength: count.optional(),
    default: z.string().optional(),
  }),
  z.object({
    type: z.literal("number"),
    ...named,
    /** Only whole numbers. */
    whole: z.boolean(),
    min: z.number().optional(),
    max: z.number().optional(),
    default: z.number().optional(),
  }),
  z.object({ type: z.literal("boolean"), ...named, default: z.boolean().optional() }),
  z.object({ type: z.literal("choice"), ...named, options: optionsSchema, default: z.string().optional() }),
  z.object({
    type: z.literal("choices"),
    ...named,
    options: optionsSchema,
    minItems: count.optional(),
    maxItems: count.optional(),
    default: z.array(z.string()).optional(),
  }),
]);
export type FormField = z.infer<typeof formFieldSchema>;

export const formValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type FormValue = z.infer<typeof formValueSchema>;
/** By the names of the fields; a field without a value is absent. */
export type FormValues = Record<string, FormValue>;

/** What the fields hold before anybody has typed. */
export function defaultValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(
    fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])),
  );
}
