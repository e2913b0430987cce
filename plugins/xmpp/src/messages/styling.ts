import { type MarkdownDialect, renderMarkdown } from "@patchbay/plugin-sdk/channel";

/**
 * Message Styling (XEP-0393): `*strong*`, `_emphasis_`, `~strike~`, `` `code` ``, blocks and quotes. It knows no headings,
 * links, lists or tables, and no way to escape a mark.
 */
const styling: MarkdownDialect = {
  text: (plain) => plain,
  bold: (inner) => `*${inner}*`,
  italic: (inner) => `_${inner}_`,
  strike: (inner) => `~${inner}~`,
  code: (plain) => `\`${plain}\``,
  // A line of three backticks ends the block, wherever it comes from.
  block: (plain, language) => `\`\`\`${language}\n${plain.replace(/^```/gm, " ```")}\n\`\`\``,
  link: (inner, address) => (inner === address ? address : `${inner} (${address})`),
  heading: (inner) => `*${inner.replaceAll("*", "")}*`,
  quote: (inner) => inner.replace(/^/gm, "> "),
};

/** Markdown as XMPP programs show it. */
export function styled(markdown: string): string {
  return renderMarkdown(markdown, styling);
}
