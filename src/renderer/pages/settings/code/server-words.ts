import type { Settings } from "../../../../contract/settings.ts";

export type OwnServer = Settings["languageServers"][number];

/** Why what was typed is no server: a key of the texts, and the part that is meant. */
export interface TypingMistake {
  why: "noProgram" | "openQuote" | "notPath" | "tooLong" | "noEnds" | "notEnd" | "known";
  part: string;
}

const MOST = 50;
const endPattern = /^\.[\w+-]{1,20}$/;

/**
 * Reads a command as it is typed in a terminal: parts at blanks, except between quotation marks.
 * @returns null: a quotation mark is not closed
 */
export function readCommand(text: string): string[] | null {
  const parts: string[] = [];
  let part: string | null = null;
  let quote = "";
  for (const sign of text) {
    if (quote !== "") {
      if (sign === quote) quote = "";
      else part += sign;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      part ??= "";
    } else if (/\s/.test(sign)) {
      if (part !== null) parts.push(part);
      part = null;
    } else part = (part ?? "") + sign;
  }
  if (quote !== "") return null;
  if (part !== null) parts.push(part);
  return parts.filter((one) => one !== "");
}

/** A command as `readCommand` reads it back. */
export function commandText(command: readonly string[]): string {
  return command
    .map((part) =>
      /[\s"']/.test(part)
        ? part
            .split('"')
            .map((piece) => `"${piece}"`)
            .join(`'"'`)
        : part,
    )
    .join(" ");
}

/** The ends of files in what was typed: `.ts`, `ts` and `*.ts` are the same. */
function readEnds(text: string): string[] {
  const ends = text.split(/[\s,;]+/).filter((end) => end !== "");
  return [...new Set(ends.map((end) => `.${end.replace(/^\*?\.?/, "")}`))];
}

export function commandMistake(text: string): TypingMistake | null {
  const command = readCommand(text);
  if (command === null) return { why: "openQuote", part: "" };
  const [program] = command;
  if (program === undefined) return { why: "noProgram", part: "" };
  if (command.length > MOST) return { why: "tooLong", part: "" };
  const isPlace = /^(?:\/|[A-Za-z]:[\\/])/.test(program) || !/[\\/]/.test(program);
  return isPlace ? null : { why: "notPath", part: program };
}

export function endsMistake(text: string): TypingMistake | null {
  const ends = readEnds(text);
  if (ends.length === 0) return { why: "noEnds", part: "" };
  if (ends.length > MOST) return { why: "tooLong", part: "" };
  const bad = ends.find((end) => !endPattern.test(end));
  return bad === undefined ? null : { why: "notEnd", part: bad };
}

/** @returns the server that was typed; null while something of it is wrong */
export function readServer(command: string, ends: string): OwnServer | null {
  if (commandMistake(command) || endsMistake(ends)) return null;
  return { command: readCommand(command) ?? [], files: readEnds(ends) };
}

export function isSame(one: OwnServer, other: OwnServer): boolean {
  return JSON.stringify([one.command, one.files]) === JSON.stringify([other.command, other.files]);
}
