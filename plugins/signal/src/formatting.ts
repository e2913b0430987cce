import { type MarkdownDialect, renderMarkdown } from "@patchbay/plugin-sdk/channel";
import { type Style, styledText } from "./styled-text.ts";

/** Signs that stand for the beginning and the end of a style while Markdown is rendered: Unicode keeps them for such uses. */
const signs = {
  bold: ["\uFDD0", "\uFDD1"],
  italic: ["\uFDD2", "\uFDD3"],
  struck: ["\uFDD4", "\uFDD5"],
  fixed: ["\uFDD6", "\uFDD7"],
} as const satisfies Record<Style, readonly [string, string]>;
const anySign = /[\uFDD0-\uFDD7]/g;

const styled = (style: Style) => (inner: string) => `${signs[style][0]}${inner}${signs[style][1]}`;
const text = (plain: string) => plain.replace(anySign, "\uFFFD");

/** Signal has bold, italic, struck and fixed-width text, and no headings, lists, links or tables. */
const dialect: MarkdownDialect = {
  text,
  bold: styled("bold"),
  italic: styled("italic"),
  strike: styled("struck"),
  code: (plain) => styled("fixed")(text(plain)),
  block: (plain) => styled("fixed")(text(plain)),
  link: (inner, address) => (inner === text(address) ? inner : `${inner} (${text(address)})`),
  heading: styled("bold"),
  quote: (inner) =>
    inner
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n"),
};

/** Markdown as the bridge takes it with `text_mode: "styled"`. */
export function toStyled(markdown: string): string {
  const on = new Map<Style, number>();
  const runs = renderMarkdown(markdown, dialect)
    .split(/([\uFDD0-\uFDD7])/)
    .flatMap((part) => {
      const sign = signOf(part);
      if (sign) on.set(sign.style, (on.get(sign.style) ?? 0) + (sign.begins ? 1 : -1));
      const styles = [...on].flatMap(([style, depth]) => (depth > 0 ? [style] : []));
      return sign || part === "" ? [] : [{ text: part, styles: new Set(styles) }];
    });
  return styledText(runs);
}

function signOf(part: string): { style: Style; begins: boolean } | null {
  for (const [style, [begin, end]] of Object.entries(signs) as [Style, readonly [string, string]][])
    if (part === begin || part === end) return { style, begins: part === begin };
  return null;
}
