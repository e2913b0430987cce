/** A field of the older form description (`ChannelManifest.configFields`). */
export type ConfigField = (
  | {
      kind: "select";
      key: string;
      options: { value: string; label: string }[];
      defaultValue?: string;
    }
  | { kind: "text" | "string_list"; key: string; placeholder?: string }
  /** Shows the address of the webhook; it is no setting and stores nothing. */
  | { kind: "webhook_url" }
) & { label: string; help?: string; showWhen?: { field: string; equals: unknown } };

type JsonSchema = Record<string, unknown>;

/**
 * The older form description as a JSON Schema of the flat settings. What JSON Schema cannot express goes into
 * `x-patchbay`: `{placeholder?, showWhen?, kind?: "webhook_url"}`. Keys without a description are allowed.
 */
export function fieldsToSchema(fields: ConfigField[]): JsonSchema {
  const properties: [string, JsonSchema][] = [];
  for (const field of fields) properties.push([keyOf(field), fieldSchema(field)]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

function keyOf(field: ConfigField): string {
  return field.kind === "webhook_url" ? "webhook_url" : field.key;
}

function fieldSchema(field: ConfigField): JsonSchema {
  const hints = {
    ...("placeholder" in field && field.placeholder && { placeholder: field.placeholder }),
    ...(field.showWhen && { showWhen: field.showWhen }),
    ...(field.kind === "webhook_url" && { kind: field.kind }),
  };
  return {
    ...valueSchema(field),
    title: field.label,
    ...(field.help && { description: field.help }),
    ...(Object.keys(hints).length > 0 && { "x-patchbay": hints }),
  };
}

function valueSchema(field: ConfigField): JsonSchema {
  switch (field.kind) {
    case "select":
      return {
        type: "string",
        oneOf: field.options.map(({ value, label }) => ({ const: value, title: label })),
        ...(field.defaultValue !== undefined && { default: field.defaultValue }),
      };
    case "text":
      return { type: "string" };
    case "string_list":
      return { type: "array", items: { type: "string" } };
    case "webhook_url":
      return { type: "string", readOnly: true };
  }
}
