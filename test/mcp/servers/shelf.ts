/** A red square of one pixel. */
export const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
export const authors = ["Ada Lovelace", "Alan Turing", "Grace Hopper"];
const books: Record<string, string[]> = {
  "Ada Lovelace": ["Notes"],
  "Alan Turing": ["Machinery", "Numbers"],
};

export function authorsLike(value: string): string[] {
  return authors.filter((name) => name.toLowerCase().startsWith(value.toLowerCase()));
}

/** The books of the author that was chosen already. */
export function booksLike(value: string, author: string | undefined): string[] {
  return (books[author ?? ""] ?? []).filter((name) => name.startsWith(value));
}

const text = (words: string) => ({ type: "text" as const, text: words });
const user = "user" as const;

export function reviewOf({ author, book, tone }: { author: string; book?: string; tone?: string }) {
  return {
    messages: [
      { role: user, content: text(`Here is ${book ?? "everything"} by ${author}.`) },
      {
        role: user,
        content: {
          type: "resource" as const,
          resource: { uri: "shelf://notes", mimeType: "text/markdown", text: "# Notes\nOne and one is two." },
        },
      },
      { role: "assistant" as const, content: text("I have read it.") },
      { role: user, content: text(`Now write a review${tone ? ` in a ${tone} tone` : ""}.`) },
      { role: user, content: { type: "image" as const, data: PICTURE, mimeType: "image/png" } },
    ],
  };
}
