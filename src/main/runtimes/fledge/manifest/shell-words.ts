/**
 * Splits a text into words as a POSIX shell does: words are separated by white space, which quotes and backslashes can
 * protect. Nothing is expanded. When a quote is not closed, the text is split at white space only.
 */
export function splitWords(text: string): string[] {
  return quotedWords(text) ?? text.split(/\s+/).filter((word) => word !== "");
}

/** Null when a quote does not close. */
function quotedWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (quote === "'") {
      if (char === "'") quote = null;
      else word += char;
    } else if (char === "\\") {
      const next = text[++at];
      if (next === undefined) return null;
      const kept: boolean = quote === '"' && !'"\\$`\n'.includes(next);
      word = (word ?? "") + (next === "\n" ? "" : kept ? char + next : next);
    } else if (quote === '"') {
      if (char === '"') quote = null;
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}
