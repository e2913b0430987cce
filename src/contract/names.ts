/** The allowed forms of names, for the schemas, and for code that reads a name from an address without a schema. */
export const agentIdPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const pluginKeyPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** The names of tools that model providers accept. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;
/** What can be typed after a slash. */
export const commandNamePattern = /^[A-Za-z0-9][A-Za-z0-9_:.-]{0,63}$/;

/**
 * The address of a speech service: up to what stands before `/audio/transcriptions` and `/audio/speech`, as in
 * `https://api.openai.com/v1`. Keys belong into the vault, and further words of the path come after it, so that it has
 * neither a name nor a question.
 */
export function isSpeechAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}
