/** A command line as its words, quoted as shells have it; or what in it only a shell could do. */
export type Words =
  | { kind: "words"; words: string[] }
  | { kind: "shell"; sign: string }
  | { kind: "open"; sign: string };

/**
 * Splits a command line as a shell would, and runs none: pipes, redirections, lists and substitutions are told and not done.
 * `$X` and `${X}` stay as they are written. A backslash at the end of a line goes on in the next one.
 */
export function wordsOf(line: string): Words {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? "";
    if (char === "'" || char === '"') {
      const quoted = quotedFrom(line, at, char);
      if (quoted === null) return { kind: "open", sign: char };
      if (quoted.sign !== null) return { kind: "shell", sign: quoted.sign };
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (char === "\\") {
      const next = line[++at];
      if (next === "\r" && line[at + 1] === "\n") at++;
      else if (next !== "\n" && next !== undefined) word = (word ?? "") + escaped(next);
    } else if (/\s/.test(char)) {
      if (char === "\n" && word !== null && line.slice(at).trim() !== "") return { kind: "shell", sign: "⏎" };
      if (word !== null) words.push(word);
      word = null;
    } else if (/[|;<>`&]/.test(char) || (char === "$" && line[at + 1] === "(")) {
      return { kind: "shell", sign: char === "$" ? "$(" : char };
    } else word = (word ?? "") + char;
  }
  if (word !== null) words.push(word);
  return { kind: "words", words };
}

/** What a backslash makes of a character; that of a Windows path stays. */
function escaped(next: string): string {
  return /[A-Za-z0-9.]/.test(next) ? `\\${next}` : next;
}

function quotedFrom(
  line: string,
  from: number,
  quote: string,
): { text: string; end: number; sign: string | null } | null {
  let text = "";
  for (let at = from + 1; at < line.length; at++) {
    const char = line[at] ?? "";
    if (char === quote) return { text, end: at, sign: null };
    if (quote === '"' && char === "\\" && /["\\$`]/.test(line[at + 1] ?? "")) text += line[++at];
    else if (quote === '"' && (char === "`" || (char === "$" && line[at + 1] === "(")))
      return { text, end: at, sign: char === "$" ? "$(" : char };
    else text += char;
  }
  return null;
}
