/** Markup that may stand in a page as it is. Made by {@link html} alone, which escapes whatever else is put into it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Html | readonly Html[] | null;

/** Markup with texts of others in it, escaped so that they stand in text and in quoted attributes alike. */
export function html(markup: TemplateStringsArray, ...pieces: Piece[]): Html {
  let text = markup[0] ?? "";
  pieces.forEach((piece, index) => {
    text += textOf(piece) + (markup[index + 1] ?? "");
  });
  return new Html(text);
}

function textOf(piece: Piece): string {
  if (piece === null) return "";
  if (piece instanceof Html) return piece.text;
  if (typeof piece === "object") return piece.map(({ text }) => text).join("");
  return escaped(String(piece));
}

const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Characters that no page may have become the sign for one that is missing. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "\ufffd")
      // What turns the direction of text could make it read as something else.
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd")
      .replace(/[&<>"']/g, (sign) => names[sign] ?? sign)
  );
}
