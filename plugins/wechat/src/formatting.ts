import { type MarkdownDialect, renderMarkdown } from "@patchbay/plugin-sdk/channel";

/** WeChat shows text without formatting, so all marks are removed. */
const plain: MarkdownDialect = {
  text: (text) => text,
  bold: (inner) => inner,
  italic: (inner) => inner,
  strike: (inner) => inner,
  code: (text) => text,
  block: (text) => text,
  link: (inner, address) => (inner === address ? address : `${inner} (${address})`),
  heading: (inner) => inner,
  quote: (inner) =>
    inner
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n"),
};

export const toPlainText = (markdown: string) => renderMarkdown(markdown, plain);
