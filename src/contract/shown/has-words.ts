/** Whether all words occur in a text, whatever their case. */
export function hasWords(text: string, words: string): boolean {
  const where = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}
