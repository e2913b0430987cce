import { type MarkdownDialect, renderMarkdown } from "@patchbay/plugin-sdk/channel";

/** The marks that signal-cli-rest-api turns into styles; it has no headings, lists or links. */
const styled: MarkdownDialect = {
  text: (plain) => plain.replace(/[\\*~`]|\|\|/g, (mark) => [...mark].map((char) => `\\${char}`).join("")),
  bold: (inner) => `**${inner}**`,
  italic: (inner) => `*${inner}*`,
  strike: (inner) => `~${inner}~`,
  code: (plain) => monospace(plain),
  block: (plain) => plain.split("\n").map(monospace).join("\n"),
  link: (inner, address) => (inner === styled.text(address) ? inner : `${inner} (${styled.text(address)})`),
  heading: (inner) => `**${inner}**`,
  quote: (inner) =>
    inner
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n"),
};

export const toStyled = (markdown: string) => renderMarkdown(markdown, styled);

/** A style ends with its line, and an empty one would show its marks. */
function monospace(line: string): string {
  return line.trim() === "" ? line : `\`${line.replaceAll("`", "'")}\``;
}
