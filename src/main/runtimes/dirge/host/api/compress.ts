/**
 * A text with less to read: lines without spaces at their end, none twice, at most one empty line in a row; and with a query, those
 * that hold one of its words first.
 */
export function compressBundle(text: string, query?: string): string {
  const seen = new Set<string>();
  const lines: string[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trimEnd();
    if (line === "" ? lines.at(-1) === "" : seen.has(line)) continue;
    seen.add(line);
    lines.push(line);
  }
  const words = (query ?? "")
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 2);
  if (words.length === 0) return lines.join("\n").trim();
  const fits = (line: string) => words.some((word) => line.toLowerCase().includes(word));
  return [...lines.filter(fits), ...lines.filter((line) => !fits(line))].join("\n").trim();
}
