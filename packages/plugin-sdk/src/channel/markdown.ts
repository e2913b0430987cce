/**
 * How one platform writes each element of Markdown. `plain` is text without any markup; `inner` was already converted
 * to the platform's form.
 */
export interface MarkdownDialect {
  /** Escapes the characters that the platform would read as markup. */
  text(plain: string): string;
  bold(inner: string): string;
  italic(inner: string): string;
  strike(inner: string): string;
  code(plain: string): string;
  /** A fenced code block. Tables are written in the same way, because hardly any platform has tables. */
  block(plain: string, language: string): string;
  link(inner: string, address: string): string;
  heading(inner: string): string;
  quote(inner: string): string;
}

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const inlineMarks =
  /\\([\\`*_{}[\]()#+\-.!~>|])|(?<!`)(`+)(?!`)([\s\S]*?[^`])\2(?!`)|\[([^\]\n]+)\]\(((?:https?:\/\/|mailto:)[^\s)]+)\)|<(https?:\/\/[^\s>]+)>|\*\*(?=\S)([\s\S]*?\S)\*\*(?!\*)|(?<!\w)__(?=\S)([\s\S]*?\S)__(?!\w)|~~(?=\S)([\s\S]*?\S)~~|(?<![\w*])\*(?=[^\s*])([^*\n]*?[^\s*])\*(?![\w*])|(?<![\w_])_(?=[^\s_])([^_\n]*?[^\s_])_(?![\w_])/g;

/**
 * Renders the Markdown that models write: fences, code, bold, italic, strike, links, headings, quotes, lists and
 * tables. A mark that is not closed, as in an answer that is still being written, stays as it is. We do not use a
 * library, because a draft is rendered again with each edit: 10 KB take 1 ms and 3 KB of code; mdast-util-from-markdown
 * with gfm takes 217 ms and 176 KB in each channel's bundle, and reads the line after a quote or a table as a part of
 * it.
 */
export function renderMarkdown(source: string, dialect: MarkdownDialect): string {
  const lines = source.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const taken =
      fenced(lines, at, out, dialect) || quoted(lines, at, out, dialect) || table(lines, at, out, dialect);
    if (taken > 0) at += taken;
    else {
      out.push(line(lines[at] ?? "", dialect));
      at += 1;
    }
  }
  return out.join("\n");
}

function fenced(lines: string[], at: number, out: string[], dialect: MarkdownDialect): number {
  const [, mark, language] = fence.exec(lines[at] ?? "") ?? [];
  if (mark === undefined) return 0;
  const closing = new RegExp(`^ {0,3}${mark[0]}{${mark.length},}\\s*$`);
  let end = at + 1;
  while (end < lines.length && !closing.test(lines[end] ?? "")) end += 1;
  out.push(dialect.block(lines.slice(at + 1, end).join("\n"), language ?? ""));
  return end - at + 1;
}

function quoted(lines: string[], at: number, out: string[], dialect: MarkdownDialect): number {
  let end = at;
  while (/^ {0,3}>/.test(lines[end] ?? "")) end += 1;
  if (end === at) return 0;
  const inner = lines.slice(at, end).map((one) => line(one.replace(/^ {0,3}> ?/, ""), dialect));
  out.push(dialect.quote(inner.join("\n")));
  return end - at;
}

/**
 * Reads a table and writes it as a text block with columns of equal width. Returns the number of lines that it used; 0
 * when there is no table at `at`.
 */
function table(lines: string[], at: number, out: string[], dialect: MarkdownDialect): number {
  if (!/^\s*\|.*\|\s*$/.test(lines[at] ?? "") || !/^\s*\|[\s:|-]+\|\s*$/.test(lines[at + 1] ?? "")) return 0;
  let end = at;
  while (/^\s*\|.*\|\s*$/.test(lines[end] ?? "")) end += 1;
  const rows = lines
    .slice(at, end)
    .filter((_, index) => index !== 1)
    .map((row) => row.trim().slice(1, -1).split("|"))
    .map((row) => row.map((cell) => cell.trim()));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const text = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  out.push(dialect.block(text.join("\n"), ""));
  return end - at;
}

function line(source: string, dialect: MarkdownDialect): string {
  const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(source);
  if (heading) return dialect.heading(inline((heading[1] ?? "").replace(/^\*\*(.*)\*\*$/, "$1"), dialect));
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(source)) return "———";
  const item = /^(\s*)[-*+]\s+(.*)$/.exec(source);
  if (item) return `${item[1]}• ${inline(item[2] ?? "", dialect)}`;
  return inline(source, dialect);
}

function inline(source: string, dialect: MarkdownDialect): string {
  let out = "";
  let last = 0;
  for (const match of source.matchAll(inlineMarks)) {
    out += dialect.text(source.slice(last, match.index));
    last = match.index + match[0].length;
    const [, escaped, , code, label, address, bare, strong, under, struck, starred, lined] = match;
    const bold = strong ?? under;
    const italic = starred ?? lined;
    if (escaped !== undefined) out += dialect.text(escaped);
    else if (code !== undefined) out += dialect.code(code.replace(/^ (.*\S.*) $/, "$1"));
    else if (label !== undefined && address !== undefined)
      out += dialect.link(inline(label, dialect), address);
    else if (bare !== undefined) out += dialect.text(bare);
    else if (bold !== undefined) out += dialect.bold(inline(bold, dialect));
    else if (struck !== undefined) out += dialect.strike(inline(struck, dialect));
    else if (italic !== undefined) out += dialect.italic(inline(italic, dialect));
  }
  return out + dialect.text(source.slice(last));
}
