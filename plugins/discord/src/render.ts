/** Discord's limit for one message, in characters. */
const LIMIT = 2_000;

/**
 * Markdown as Discord shows it. Discord has no tables and only three levels of headings: tables become code blocks,
 * deeper headings bold text.
 */
export function toDiscord(markdown: string): string {
  const lines = markdown.split("\n");
  const out: string[] = [];
  let fence = "";
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === "" ? mark : line.trim().startsWith(fence) ? "" : fence;
    const rows = fence === "" && mark === undefined ? tableAt(lines, at) : 0;
    if (rows > 0) {
      out.push("```", ...lines.slice(at, at + rows), "```");
      at += rows;
    } else {
      out.push(fence === "" ? line.replace(/^#{4,6}\s+(.+?)\s*#*$/, "**$1**") : line);
      at += 1;
    }
  }
  const rendered = out.join("\n");
  return [...rendered].length <= LIMIT - 2 ? rendered : markdown;
}

function tableAt(lines: string[], at: number): number {
  const isRow = (line: string | undefined) => /^\s*\|.*\|\s*$/.test(line ?? "");
  if (!isRow(lines[at]) || !/^\s*\|[\s:|-]+\|\s*$/.test(lines[at + 1] ?? "")) return 0;
  let end = at;
  while (isRow(lines[end])) end += 1;
  return end - at;
}
