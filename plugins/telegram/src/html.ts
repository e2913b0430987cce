import { type MarkdownDialect, renderMarkdown } from "@patchbay/plugin-sdk/channel";

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const html: MarkdownDialect = {
  text: escapeHtml,
  bold: (inner) => `<b>${inner}</b>`,
  italic: (inner) => `<i>${inner}</i>`,
  strike: (inner) => `<s>${inner}</s>`,
  code: (plain) => `<code>${escapeHtml(plain)}</code>`,
  block: (plain, language) =>
    /^[\w+#.-]+$/.test(language)
      ? `<pre><code class="language-${language}">${escapeHtml(plain)}</code></pre>`
      : `<pre>${escapeHtml(plain)}</pre>`,
  link: (inner, address) => `<a href="${escapeHtml(address).replaceAll('"', "&quot;")}">${inner}</a>`,
  heading: (inner) => `<b>${inner}</b>`,
  quote: (inner) => `<blockquote>${inner}</blockquote>`,
};

/** Markdown as Telegram's HTML. Only whole pieces are rendered, so that no tag is ever cut. */
export function toHtml(markdown: string): string {
  return renderMarkdown(markdown, html);
}
