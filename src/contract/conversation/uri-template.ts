/** How the values of one kind of expression are written (RFC 6570, section 3.2). */
interface Manner {
  begin: string;
  between: string;
  /** Each value stands behind the name of its variable. */
  named: boolean;
  /** What a name without a value is followed by. */
  ofEmpty: string;
  /** Letters with a meaning in addresses stay as they are. */
  keeps: boolean;
}

const plain: Manner = { begin: "", between: ",", named: false, ofEmpty: "", keeps: false };
const manners: Record<string, Manner> = {
  "+": { ...plain, keeps: true },
  "#": { ...plain, begin: "#", keeps: true },
  ".": { ...plain, begin: ".", between: "." },
  "/": { ...plain, begin: "/", between: "/" },
  ";": { begin: ";", between: ";", named: true, ofEmpty: "", keeps: false },
  "?": { begin: "?", between: "&", named: true, ofEmpty: "=", keeps: false },
  "&": { begin: "&", between: "&", named: true, ofEmpty: "=", keeps: false },
};

interface Expression {
  manner: Manner;
  variables: { name: string; most: number }[];
}

/** The names of the variables of an address template, each once; null when it is none, or is longer than any that a person fills in. */
export function variablesIn(template: string): string[] | null {
  const parts = partsOf(template);
  if (parts === null) return null;
  const names = parts.flatMap((part) =>
    typeof part === "string" ? [] : part.variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}

/** The address with texts in the place of its variables; those without a text are left out. */
export function filledIn(template: string, values: Readonly<Record<string, string>>): string {
  const parts = partsOf(template) ?? [template];
  return parts.map((part) => (typeof part === "string" ? part : written(part, values))).join("");
}

function written({ manner, variables }: Expression, values: Readonly<Record<string, string>>): string {
  const { begin, between, named, ofEmpty, keeps } = manner;
  const texts = variables.flatMap(({ name, most }) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? "") : "";
    if (value === "") return [];
    const cut = [...value].slice(0, most).join("");
    const text = keeps ? encodeURI(cut.toWellFormed()) : encodeStrictly(cut);
    return [named ? `${name}${text === "" ? ofEmpty : `=${text}`}` : text];
  });
  return texts.length === 0 ? "" : begin + texts.join(between);
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const LONGEST = 2_000;
const variable = /^([A-Za-z0-9_%](?:[A-Za-z0-9_.%]*[A-Za-z0-9_%])?)(?::([1-9][0-9]{0,3})|\*)?$/;

function partsOf(template: string): (string | Expression)[] | null {
  if (template.length > LONGEST) return null;
  const parts: (string | Expression)[] = [];
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    if (!piece.startsWith("{") || !piece.endsWith("}")) {
      if (/[{}]/.test(piece)) return null;
      parts.push(piece);
      continue;
    }
    const manner = manners[piece.charAt(1)];
    const variables = piece
      .slice(manner ? 2 : 1, -1)
      .split(",")
      .map((one) => variable.exec(one));
    if (!variables.every((one) => one !== null)) return null;
    parts.push({
      manner: manner ?? plain,
      variables: variables.map(([, name = "", most]) => ({
        name,
        most: most ? Number(most) : Number.POSITIVE_INFINITY,
      })),
    });
  }
  return parts;
}
