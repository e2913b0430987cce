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
  /\\([\\`*_{}[\]()#+\-.!~>|])|(?<!`)(`+)(?!`)([\s\S]*?[^`])\2(?!`)|!?\[([^\]\n]+)\]\(((?:https?:\/\/|mailto:)[^\s)]+)\)|<(https?:\/\/[^\s>]+)>|\*\*(?=\S)([\s\S]*?\S)\*\*(?!\*)|(?<!\w)__(?=\S)([\s\S]*?\S)__(?!\w)|~~(?=\S)([\s\S]*?\S)~~|(?<![\w*])\*(?=[^\s*])([^*\n]*?[^\s*])\*(?![\w*])|(?<![\w_])_(?=[^\s_])([^_\n]*?[^\s_])_(?![\w_])/g;

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
      fenced(lines, at, out, dialect) ||
      quoted(lines, at, out, dialect) ||
      table(lines, at, out, dialect) ||
      underlined(lines, at, out, dialect);
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

function table(lines: string[], at: number, out: string[], dialect: MarkdownDialect): number {
  const found = tableAt(lines, at);
  if (!found) return 0;
  out.push(dialect.block(found.text, ""));
  return found.taken;
}

/**
 * Reads a table and writes it as text with columns of equal width, without marks. `taken` is the number of its lines;
 * null when there is no table at `at`.
 */
export function tableAt(lines: readonly string[], at: number): { text: string; taken: number } | null {
  const isRow = (text: string | undefined) => text?.includes("|") === true;
  const isWhole = (text: string | undefined) => /^\s*\|.*\|.*\|\s*$/.test(text ?? "");
  const isRule = (text = "") => /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(text);
  const [first, second] = lines.slice(at, at + 2);
  // A long table is sent in several messages: the later ones have no line below their first row.
  const belongs = isRow(second) && isRule(second) ? isRow : isWhole;
  let end = at;
  while (belongs(lines[end])) end += 1;
  if (end === at || isRule(first)) return null;
  const rows = lines
    .slice(at, end)
    .filter((row) => !isRule(row))
    .map((row) => cellsOf(row).map((cell) => plainText(cell)));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const text = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return { text: text.join("\n"), taken: end - at };
}

/** The cells of a row. A bar that is escaped, or inside of code, belongs to its cell. */
function cellsOf(row: string): string[] {
  const cells = [""];
  for (const part of row
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .match(/\\.|`[^`]*`|[^|\\`]+|./g) ?? []) {
    if (part === "|") cells.push("");
    else cells[cells.length - 1] += part === "\\|" ? "|" : part;
  }
  return cells.map((cell) => cell.trim());
}

const plainly: MarkdownDialect = {
  text: (plain) => plain,
  bold: (inner) => inner,
  italic: (inner) => inner,
  strike: (inner) => inner,
  code: (plain) => plain,
  block: (plain) => plain,
  link: (inner, address) => (inner === address ? address : `${inner} (${address})`),
  heading: (inner) => inner,
  quote: (inner) => inner,
};

/** A line of Markdown without its marks. */
function plainText(source: string): string {
  return inline(source, plainly).replaceAll("\n", " ");
}

/** A heading that is written with a line of `=` below it. */
function underlined(lines: string[], at: number, out: string[], dialect: MarkdownDialect): number {
  const [title = "", rule = ""] = lines.slice(at, at + 2);
  if (!/^ {0,3}[^\s#>]/.test(title) || !/^ {0,3}={3,}\s*$/.test(rule)) return 0;
  out.push(headingOf(title.trim(), dialect));
  return 2;
}

/** Headings are bold on most platforms, so nothing in them is bold a second time. */
function headingOf(title: string, dialect: MarkdownDialect): string {
  return dialect.heading(inline(title.replace(/\*\*(?=\S)(.*?\S)\*\*/g, "$1"), dialect));
}

function line(source: string, dialect: MarkdownDialect): string {
  const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(source);
  if (heading) return headingOf(heading[1] ?? "", dialect);
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(source)) return "———";
  const item = /^(\s*)[-*+]\s+(.*)$/.exec(source);
  if (item) {
    const [, box, rest = ""] = /^\[([ xX])\]\s+(.*)$/.exec(item[2] ?? "") ?? [];
    const mark = box === undefined ? "•" : box === " " ? "☐" : "☑";
    return `${item[1]}${mark} ${inline(box === undefined ? (item[2] ?? "") : rest, dialect)}`;
  }
  return inline(source, dialect);
}

function inline(source: string, dialect: MarkdownDialect): string {
  let out = "";
  let last = 0;
  const text = (plain: string) => dialect.text(plain.replace(/<br\s*\/?>/gi, "\n"));
  for (const match of source.matchAll(inlineMarks)) {
    out += text(source.slice(last, match.index));
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
  return out + text(source.slice(last));
}
