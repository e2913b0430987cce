import { type MarkdownDialect, renderMarkdown } from "@patchbay/plugin-sdk/channel";

/** WeChat shows text as it is, so marks would only be in the way. */
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
