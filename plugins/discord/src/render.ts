import { tableAt } from "@patchbay/plugin-sdk/channel";

/**
 * Markdown as Discord shows it, which is most of it. What it would show raw is written in another way: tables become
 * blocks of text, deeper headings bold, rules and boxes signs, pictures links.
 */
export function toDiscord(markdown: string): string {
  const lines = markdown.split("\n");
  const out: string[] = [];
  let fence = "";
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === "" ? mark : line.trim().startsWith(fence) ? "" : fence;
    const isText = fence === "" && mark === undefined;
    const table = isText ? tableAt(lines, at) : null;
    if (table) {
      out.push("```", table.text, "```");
      at += table.taken;
    } else if (isText && /^ {0,3}[^\s#>]/.test(line) && /^ {0,3}={3,}\s*$/.test(lines[at + 1] ?? "")) {
      out.push(`# ${line.trim()}`);
      at += 2;
    } else {
      out.push(isText ? written(line) : line);
      at += 1;
    }
  }
  return out.join("\n");
}

function written(line: string): string {
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) return "———";
  const marked = line
    .replace(/^#{4,6}\s+(.+?)\s*#*$/, "**$1**")
    .replace(/^(\s*[-*+]\s+)\[([ xX])\]\s+/, (_, list: string, box: string) =>
      box === " " ? `${list}☐ ` : `${list}☑ `,
    );
  // Between backticks everything is meant as it stands.
  return marked
    .split(/(`+[^`]*`+)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/!(?=\[[^\]]+\]\()/g, "").replace(/<br\s*\/?>/gi, "\n"),
    )
    .join("");
}
