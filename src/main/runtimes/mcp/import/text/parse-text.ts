import JSON5 from "json5";
import { parse as parseToml, TomlError } from "smol-toml";
import { parse as parseYaml, YAMLParseError } from "yaml";

export type Format = "json" | "toml" | "yaml";

/** A text as a value, or the first line that cannot be read. */
export type Parsed = { kind: "value"; value: unknown } | { kind: "broken"; line: number | null };

/** Reads JSON with comments and commas too many, TOML or YAML. */
export function parseText(text: string, format: Format): Parsed {
  if (text.trim() === "") return { kind: "value", value: {} };
  switch (format) {
    case "json":
      return json(text);
    case "toml":
      return read(
        () => parseToml(text),
        (error) => (error instanceof TomlError ? error.line : null),
      );
    case "yaml":
      return read(
        // Names that refer to others are what makes a small text a huge value.
        () => parseYaml(text, { maxAliasCount: 100, logLevel: "error" }),
        (error) => (error instanceof YAMLParseError ? (error.linePos?.[0].line ?? null) : null),
      );
  }
}

function json(text: string): Parsed {
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    return read(
      () => JSON5.parse(text),
      (error) => (error as { lineNumber?: number }).lineNumber ?? null,
    );
  }
}

function read(parse: () => unknown, lineOf: (error: unknown) => number | null): Parsed {
  try {
    return { kind: "value", value: parse() };
  } catch (error) {
    return { kind: "broken", line: lineOf(error) };
  }
}
