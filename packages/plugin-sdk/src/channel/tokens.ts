/** Patterns of well-known tokens, to tell the person that they pasted the wrong one into a form. */
const shapes: [name: string, shape: RegExp][] = [
  ["an app-level token of Slack", /^xapp-/],
  ["a bot token of Slack", /^xoxb-/],
  ["a user token of Slack", /^xox[a-z]-/],
  ["a token of a Telegram bot", /^\d{6,12}:[A-Za-z0-9_-]{30,}$/],
  ["a token of a Discord bot", /^[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}$/],
  ["a key of OpenAI or Anthropic", /^sk-/],
  ["a token of GitHub", /^(?:gh[pousr]_|github_pat_)/],
];

/**
 * The kind of token that a pasted secret seems to be, for example `a bot token of Slack`; null when its form is not
 * known.
 */
export function kindOfToken(token: string): string | null {
  return shapes.find(([, shape]) => shape.test(token))?.[0] ?? null;
}
