/**
 * The text of a backtick string. When each line that is not empty is indented with spaces as far as the opening backtick, that
 * indentation goes; then the first and the last newline. `column` is the backtick's, from 1.
 */
export function longString(raw: string, column: number): string {
  const indent = column - 1;
  const lines = raw.split("\n");
  const dedents = lines.slice(1).every((line) => {
    const blanks = / */.exec(line)?.[0].length ?? 0;
    return (
      blanks >= indent || blanks === line.length || (line[blanks] === "\r" && blanks === line.length - 1)
    );
  });
  let text = raw;
  if (dedents && indent > 0)
    text = lines
      .map((line, at) => (at === 0 ? line : line.slice(Math.min(indent, / */.exec(line)?.[0].length ?? 0))))
      .join("\n");
  return text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}
