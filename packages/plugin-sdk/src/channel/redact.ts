/**
 * Makes a function that removes secrets from text to be logged or shown: the given values, also percent-encoded, and
 * tokens in addresses. Values of fewer than four characters are not removed, because they also occur inside ordinary
 * words.
 */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const values = secrets
    .filter((value): value is string => value !== undefined && value.length >= 4)
    .flatMap((value) => [value, encodeURIComponent(value)])
    .sort((a, b) => b.length - a.length);
  const parameters = /([?&](?:access_?token|token|ticket|qrcode|context_token|sig|key|secret)=)[^&\s"']+/gi;
  return (text) =>
    values
      .reduce((redacted, value) => redacted.replaceAll(value, "•••"), text)
      .replace(parameters, "$1•••")
      .replace(/\/bot\d+:[\w-]+/g, "/bot•••");
}
