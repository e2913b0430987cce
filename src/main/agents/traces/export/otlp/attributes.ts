/** A value in OTLP's JSON; whole numbers of 64 bits are texts there. */
type AnyValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: AnyValue[] } };

export interface KeyValue {
  key: string;
  value: AnyValue;
}

/** A number that may have a fraction; a plain one is whole. */
export class Fraction {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

type Given = string | number | boolean | Fraction | readonly string[] | null | undefined;

/** Attributes by their names; those without a value are left out. */
export function attributes(given: Readonly<Record<string, Given>>): KeyValue[] {
  return Object.entries(given).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: otlpValue(value) }],
  );
}

function otlpValue(value: NonNullable<Given>): AnyValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return { intValue: String(Math.round(value)) };
  if (value instanceof Fraction) return { doubleValue: value.value };
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}
