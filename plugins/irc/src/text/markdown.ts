import { type MarkdownDialect, renderMarkdown } from "@patchbay/plugin-sdk/channel";
import { BOLD, ITALIC, MONOSPACE, STRIKE, withoutFormatting } from "./formatting.ts";

const inLines = (text: string, each: (line: string) => string) =>
  text
    .split("\n")
    .map((line) => (line.trim() === "" ? line : each(line)))
    .join("\n");

/** Each line carries its own marks, because each is a message of its own. */
const dialect: MarkdownDialect = {
  text: (plain) => plain,
  bold: (inner) => inLines(inner, (line) => `${BOLD}${line}${BOLD}`),
  italic: (inner) => inLines(inner, (line) => `${ITALIC}${line}${ITALIC}`),
  strike: (inner) => inLines(inner, (line) => `${STRIKE}${line}${STRIKE}`),
  code: (plain) => inLines(plain, (line) => `${MONOSPACE}${line}${MONOSPACE}`),
  block: (plain) => inLines(plain, (line) => `${MONOSPACE}${line}${MONOSPACE}`),
  link: (inner, address) => (inner === address ? address : `${inner} <${address}>`),
  heading: (inner) => `${BOLD}${inner.replaceAll(BOLD, "")}${BOLD}`,
  quote: (inner) => inLines(inner, (line) => `> ${line}`),
};

/** Markdown as IRC shows it. */
export function toIrc(markdown: string): string {
  return renderMarkdown(withoutFormatting(markdown), dialect);
}
