import { z } from "zod";
import {
  type DialogQuestion,
  type FormField,
  formFieldSchema,
  isPageAddress,
  mostFormFields,
} from "../../../../contract/index.ts";

/** Most characters that are shown of what a server says. */
const MOST_MESSAGE = 4_000;
const MOST_TITLE = 200;
const MOST_DESCRIPTION = 500;

/** A question that can be shown, or the sentence that says why it cannot. */
export type ReadQuestion = { question: DialogQuestion } | { refused: string; target: string };

const formParams = z.object({
  mode: z.literal("form").optional(),
  message: z.string(),
  requestedSchema: z.looseObject({
    properties: z.record(z.string(), z.unknown()).default({}),
    required: z.array(z.string()).catch([]),
  }),
});
const linkParams = z.object({
  mode: z.literal("url"),
  message: z.string(),
  url: z.string(),
  elicitationId: z.string().optional(),
});

/** Reads what came with `elicitation/create`. Nothing that a server says is believed. */
export function readQuestion(params: unknown): ReadQuestion {
  const link = linkParams.safeParse(params);
  if (link.success) return readLink(link.data);
  const form = formParams.safeParse(params);
  if (!form.success) return { target: "a question", refused: "It asked in a form that cannot be read." };
  const { message, requestedSchema } = form.data;
  const { properties, required } = requestedSchema;
  const named = Object.entries(properties);
  if (named.length > mostFormFields)
    return {
      target: "a form",
      refused: `It asked for ${named.length} values at once; ${mostFormFields} is the most.`,
    };
  const fields = named.map(([name, property]) => fieldOf(name, property, required.includes(name)));
  const unfit = named.find((_, index) => fields[index] === null);
  if (unfit)
    return {
      target: "a form",
      refused: `It asked for “${unfit[0].slice(0, 100)}” in a form that cannot be filled in.`,
    };
  return {
    question: {
      kind: "form",
      message: message.slice(0, MOST_MESSAGE),
      fields: fields.filter((field) => field !== null),
    },
  };
}

/** The name by which a server says later that it is done with an address; null when it gave none. */
export function elicitationIdOf(params: unknown): string | null {
  const link = linkParams.safeParse(params);
  return (link.success && link.data.elicitationId) || null;
}

function readLink({ message, url }: z.infer<typeof linkParams>): ReadQuestion {
  if (isPageAddress(url))
    return { question: { kind: "link", message: message.slice(0, MOST_MESSAGE), url: new URL(url).href } };
  return {
    target: url.slice(0, 200),
    refused:
      "It wanted an address opened that is no page of the web: only https is, or http on this computer.",
  };
}

const titled = z.array(z.object({ const: z.string(), title: z.string().optional() })).min(1);
const listed = z.array(z.string()).min(1);
const itemsSchema = z.union([
  z.looseObject({ enum: listed }),
  z.looseObject({ oneOf: titled }),
  z.looseObject({ anyOf: titled }),
]);
const heading = {
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
};
const count = z.number().int().min(0).optional().catch(undefined);
const amount = z.number().optional().catch(undefined);

const propertySchema = z.union([
  z.object({
    ...heading,
    type: z.literal("string"),
    enum: listed,
    enumNames: listed.optional().catch(undefined),
    default: z.unknown().optional(),
  }),
  z.object({ ...heading, type: z.literal("string"), oneOf: titled, default: z.unknown().optional() }),
  z.object({
    ...heading,
    type: z.literal("string"),
    format: z.enum(["email", "uri", "date", "date-time"]).optional().catch(undefined),
    minLength: count,
    maxLength: count,
    default: z.unknown().optional(),
  }),
  z.object({
    ...heading,
    type: z.enum(["number", "integer"]),
    minimum: amount,
    maximum: amount,
    default: z.unknown().optional(),
  }),
  z.object({ ...heading, type: z.literal("boolean"), default: z.unknown().optional() }),
  z.object({
    ...heading,
    type: z.literal("array"),
    items: itemsSchema,
    minItems: count,
    maxItems: count,
    default: z.unknown().optional(),
  }),
]);
type Property = z.infer<typeof propertySchema>;

/** Null when it cannot be a field: it holds others, or is of no known kind. */
function fieldOf(name: string, raw: unknown, required: boolean): FormField | null {
  const parsed = propertySchema.safeParse(raw);
  if (!parsed.success) return null;
  const { title, description } = parsed.data;
  const field = formFieldSchema.safeParse({
    name,
    title: (title?.trim() || name).slice(0, MOST_TITLE),
    ...(description && { description: description.slice(0, MOST_DESCRIPTION) }),
    required,
    ...partOf(parsed.data),
  });
  return field.success ? field.data : null;
}

/** What is particular to the kind of a field. A default that is none of its values is left out. */
function partOf(property: Property): object {
  const given = property.default;
  switch (property.type) {
    case "boolean":
      return { type: "boolean", ...(typeof given === "boolean" && { default: given }) };
    case "number":
    case "integer":
      return {
        type: "number",
        whole: property.type === "integer",
        min: property.minimum,
        max: property.maximum,
        ...(typeof given === "number" && { default: given }),
      };
    case "array": {
      const options = optionsOf(property.items);
      const chosen = z
        .array(z.string())
        .safeParse(given)
        .data?.filter((one) => offers(options, one));
      return {
        type: "choices",
        options,
        minItems: property.minItems,
        maxItems: property.maxItems,
        ...(chosen && { default: chosen }),
      };
    }
    case "string": {
      if ("enum" in property || "oneOf" in property) {
        const options = optionsOf(property);
        return { type: "choice", options, ...(offers(options, given) && { default: given }) };
      }
      const { format, minLength, maxLength } = property;
      return {
        type: "text",
        format,
        minLength,
        maxLength,
        ...(typeof given === "string" && { default: given }),
      };
    }
  }
}

interface Option {
  value: string;
  label: string;
}

function optionsOf(
  from:
    | { enum: string[]; enumNames?: string[] | undefined }
    | { oneOf: z.infer<typeof titled> }
    | { anyOf: z.infer<typeof titled> },
): Option[] {
  const named = "enum" in from ? [] : "oneOf" in from ? from.oneOf : from.anyOf;
  const all =
    "enum" in from
      ? from.enum.map((value, index) => ({ value, label: from.enumNames?.[index] ?? value }))
      : named.map(({ const: value, title }) => ({ value, label: title ?? value }));
  return all.map(({ value, label }) => ({ value, label: (label.trim() || value).slice(0, MOST_TITLE) }));
}

function offers(options: readonly Option[], value: unknown): boolean {
  return options.some((option) => option.value === value);
}
