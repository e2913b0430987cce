/** Most characters that OpenAI's service speaks at once. */
export const MOST_SPOKEN = 4_096;

/** An answer as it is read aloud: without the marks of Markdown, code, tables and addresses. */
export function speechTextOf(answer: string): string {
  const plain = answer
    .replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*\s*$|$(?![\s\S]))/gm, "\n")
    .replace(/^[ \t]*\|.*\|\s*$/gm, "")
    .replace(/!?\[([^\]\n]+)\]\([^)\n]*\)/g, "$1")
    .replace(/<?\bhttps?:\/\/[^\s>)]+>?/g, "")
    .replace(/^ {0,3}(?:#{1,6}|>)\s*/gm, "")
    .replace(/^[ \t]*(?:[-*+]|\d+[.)])\s+/gm, "")
    .replace(/(\*\*|__|~~|`+)(?=\S)([\s\S]*?\S)\1/g, "$2")
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*\S)\*(?![\w*])/g, "$1")
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*\n\s*/g, "\n\n")
    .trim();
  return shortened(plain);
}

/** Cut where a sentence ends, or else a word. */
function shortened(text: string): string {
  if (text.length <= MOST_SPOKEN) return text;
  const start = text.slice(0, MOST_SPOKEN - 1);
  const ends = [...start.matchAll(/[.!?…。！？](?=\s)|\n/g)];
  const end = ends.at(-1)?.index ?? start.lastIndexOf(" ");
  return `${start
    .slice(0, end > MOST_SPOKEN / 2 ? end + 1 : undefined)
    .toWellFormed()
    .trim()}…`;
}
