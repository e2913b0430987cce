/** The scheme that the renderer is served under; `file://` is never used. */
export const appScheme = "app";
const appOrigin = `${appScheme}://patchbay`;

/** Whether an address belongs to Patchbay's own renderer. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === `${appScheme}:` && parsed.host === "patchbay";
}

/** The address of one of the renderer's screens, from its path (`/agents/a/plugins`). */
export function screenUrl(path: string): string {
  return path === "/" ? `${appOrigin}/` : `${appOrigin}/#${path}`;
}

/** Whether an address may be handed to the person's browser: nothing but the web. */
export function isWebUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && (parsed.protocol === "https:" || parsed.protocol === "http:");
}
