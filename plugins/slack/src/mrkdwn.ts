import { type MarkdownDialect, renderMarkdown } from "@patchbay/plugin-sdk/channel";

const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const mrkdwn: MarkdownDialect = {
  text: escapeText,
  bold: (inner) => `*${inner}*`,
  italic: (inner) => `_${inner}_`,
  strike: (inner) => `~${inner}~`,
  code: (plain) => `\`${escapeText(plain)}\``,
  block: (plain) => `\`\`\`\n${escapeText(plain)}\n\`\`\``,
  link: (inner, address) => `<${escapeText(address).replaceAll("|", "%7C")}|${inner}>`,
  heading: (inner) => `*${inner}*`,
  quote: (inner) => inner.replace(/^/gm, "> "),
};

/** Markdown as Slack's mrkdwn. Nothing in it can mention everybody: `<` is escaped. */
export function toMrkdwn(markdown: string): string {
  return renderMarkdown(markdown, mrkdwn);
}

/** The text of a message without Slack's escapes, as people read it. */
export function fromMrkdwn(text: string): string {
  return text
    .replace(/<([^<>|]+)(?:\|([^<>]*))?>/g, (_, target: string, label?: string) => {
      if (/^[@#]/.test(target)) return `${target[0]}${label ?? target.slice(1)}`;
      if (target.startsWith("!")) return `@${label ?? target.slice(1).split("^")[0]}`;
      const address = target.replace(/^mailto:/, "");
      return label === undefined || label === address ? address : `${label} (${address})`;
    })
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
