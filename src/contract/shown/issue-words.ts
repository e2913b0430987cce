/** What a check of a value found, in the form that zod gives it. Everything but the message may be absent. */
export interface Issue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
  code?: string | undefined;
  [detail: string]: unknown;
}

/** A whole sentence about it: `The address of the model must be an address such as https://example.com.` */
export function issueSentence(issue: Issue): string {
  const field = fieldInWords(pathOf(issue));
  return `${field.charAt(0).toUpperCase()}${field.slice(1)} ${issueWords(issue)}.`;
}

/** The names from the root, for programs: `policy.0.tool`. */
export function pathOf({ path = [] }: Issue): string[] {
  return path.map((part) => String(typeof part === "object" ? part.key : part));
}

/** What is wrong, to be put after the name of the field: `must be a text`. */
export function issueWords(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return /received undefined$/.test(issue.message)
        ? "is missing"
        : `must be ${typeWords(issue.expected)}`;
    case "invalid_format":
      return formatWords(issue);
    case "too_small":
      return sizeWords(issue, issue.minimum, issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return sizeWords(issue, issue.maximum, issue.inclusive === false ? "less than" : "at most");
    case "invalid_value":
      return `must be ${oneOf(issue.values)}`;
    case "unrecognized_keys":
      return `holds what is not known: ${listed(issue.keys)}`;
    case "not_multiple_of":
      return `must be a multiple of ${String(issue.divisor)}`;
    case "invalid_union":
      return ownWords(issue.message) ?? "has none of the forms that are accepted";
    default:
      return ownWords(issue.message) ?? "is not accepted";
  }
}

/** A sentence that was written for this place; undefined for one that the library made. */
function ownWords(message: string): string | undefined {
  if (/^(Invalid|Too |Expected|Unrecognized|Required)/.test(message)) return undefined;
  return `must be ${message.replace(/^expected /, "").replace(/\.$/, "")}`;
}

function formatWords(issue: Issue): string {
  const known = { url: "an address such as https://example.com", email: "an e-mail address" }[
    String(issue.format)
  ];
  if (known) return `must be ${known}`;
  if (issue.format === "datetime") return "must be a date and time such as 2026-01-31T12:00:00Z";
  if (issue.format === "starts_with") return `must begin with ${JSON.stringify(issue.prefix)}`;
  return ownWords(issue.message) ?? "does not have the expected form";
}

function sizeWords({ origin, message }: Issue, limit: unknown, how: string): string {
  if (origin === "number" || origin === "int") return `must be ${how} ${String(limit)}`;
  if (origin === "string" && limit === 1 && how === "at least") return "must not be empty";
  const unit = { string: "character", array: "entr", set: "entr", file: "byte" }[String(origin)];
  if (unit === undefined) return ownWords(message) ?? "has the wrong size";
  const ending = unit === "entr" ? (limit === 1 ? "y" : "ies") : limit === 1 ? "" : "s";
  return `must have ${how} ${String(limit)} ${unit}${ending}`;
}

const types: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "empty",
};

function typeWords(expected: unknown): string {
  return types[String(expected)] ?? `of the kind ${String(expected)}`;
}

function oneOf(values: unknown): string {
  const all = Array.isArray(values) ? values : [values];
  return `${all.length > 1 ? "one of " : ""}${listed(all)}`;
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(", ") : String(values);
}

/** `model.baseUrl` as "the address of the model", `policy.0.tool` as "the tool in entry 1 of the policy". */
export function fieldInWords(path: readonly string[]): string {
  if (path.length === 0) return "what was given";
  return path
    .toReversed()
    .map((part) => (/^\d+$/.test(part) ? `entry ${Number(part) + 1}` : `the ${nameInWords(part)}`))
    .join(" of ");
}

const names: Record<string, string> = {
  agentId: "agent's id",
  sessionId: "conversation's id",
  apiKey: "key",
  baseUrl: "address",
  id: "id",
  key: "plugin key",
  maxSteps: "number of steps",
  spec: "package",
  url: "address",
};

/** `toolTimeoutMs` as "tool timeout ms". */
function nameInWords(part: string): string {
  const known = Object.hasOwn(names, part) ? names[part] : undefined;
  return (
    known ??
    part
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .replace(/[_-]+/g, " ")
      .toLowerCase()
  );
}
