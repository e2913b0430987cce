/** Telegram's own error for markup that it cannot read. */
export class MarkupError extends Error {}

export interface Entity {
  type: string;
  offset: number;
  length: number;
  url?: string;
  language?: string;
}

const tags: Record<string, string> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  code: "code",
  pre: "pre",
  a: "text_link",
  blockquote: "blockquote",
  "tg-spoiler": "spoiler",
};
const named: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };

/**
 * Text and entities of a message in Telegram's HTML, offsets in UTF-16 units.
 * @throws MarkupError with the words of the Bot API
 */
export function parseHtml(source: string): { text: string; entities: Entity[] } {
  let text = "";
  const entities: Entity[] = [];
  const open: { tag: string; entity: Entity }[] = [];
  const token = /<(\/?)([a-zA-Z-]*)([^<>]*)(>?)|&(?:(lt|gt|amp|quot)|#(\d+)|#x([0-9a-fA-F]+));|[^<&]+|&/g;
  for (const match of source.matchAll(token)) {
    const [whole, slash, rawTag, attributes, end, name, decimal, hex] = match;
    const at = Buffer.byteLength(source.slice(0, match.index));
    if (!whole.startsWith("<")) {
      if (name !== undefined) text += named[name];
      else if (decimal !== undefined) text += String.fromCodePoint(Number(decimal));
      else if (hex !== undefined) text += String.fromCodePoint(Number.parseInt(hex, 16));
      else text += whole;
      continue;
    }
    const tag = (rawTag ?? "").toLowerCase();
    if (end !== ">") throw new MarkupError(`Unclosed start tag at byte offset ${at}`);
    if (slash === "/") {
      const last = open.pop();
      if (!last) throw new MarkupError(`Unexpected end tag at byte offset ${at}`);
      if (last.tag !== tag)
        throw new MarkupError(
          `Unmatched end tag at byte offset ${at}, expected "</${last.tag}>", found "</${tag}>"`,
        );
      last.entity.length = text.length - last.entity.offset;
      // `<pre><code class="language-…">` is one entity with a language.
      const block = open.at(-1)?.entity;
      if (last.entity.language !== undefined && block?.type === "pre") block.language = last.entity.language;
      else if (last.entity.length > 0) entities.push(last.entity);
      continue;
    }
    const type = tags[tag];
    if (type === undefined) throw new MarkupError(`Unsupported start tag "${tag}" at byte offset ${at}`);
    const entity: Entity = { type, offset: text.length, length: 0 };
    const href = /href="([^"]*)"/.exec(attributes ?? "")?.[1];
    if (href !== undefined) entity.url = href.replaceAll("&amp;", "&").replaceAll("&quot;", '"');
    const language = /class="language-([^"]*)"/.exec(attributes ?? "")?.[1];
    if (language !== undefined) entity.language = language;
    open.push({ tag, entity });
  }
  const left = open.pop();
  if (left) throw new MarkupError(`Can't find end tag corresponding to start tag "${left.tag}"`);
  return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };
}
