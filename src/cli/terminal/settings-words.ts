/** Settings as every command prints them for a person: JSON in one line, with room between its parts. */
export function settingsText(config: Record<string, unknown>): string {
  // A line break inside a text is written as \\n in JSON, so that those here are all between parts.
  return JSON.stringify(config, null, 1).replace(/\n */g, " ");
}
