import { createHash, randomBytes } from "node:crypto";

/** A load of the page, and the content security policy that holds for this load alone. */
export interface GuardedPage {
  html: string;
  policy: string;
}

/**
 * Puts a new nonce into the page's head and makes the policy for it. Components that insert `<style>` elements at run
 * time use the nonce; other styles are refused, because each load has its own. Scripts inside the built page are
 * allowed by the hash of their text.
 * @param connect origins that the page may talk to besides its own
 */
export function guardPage(html: string, connect: string[] = []): GuardedPage {
  const nonce = randomBytes(16).toString("base64");
  return {
    html: html.replace("<head>", `<head><meta property="csp-nonce" nonce="${nonce}" />`),
    policy: pagePolicy({ nonce, connect, scripts: inlineScripts(html) }),
  };
}

/** The scripts whose text stands in the page itself. */
function inlineScripts(html: string): string[] {
  return Array.from(html.matchAll(/<script>([\s\S]*?)<\/script>/g), ([, text = ""]) => text);
}

interface PolicyOptions {
  nonce?: string;
  /** What the page may talk to beside its own origin. */
  connect?: readonly string[];
  /** Texts of scripts that stand in the page. */
  scripts?: readonly string[];
}

/** What the screens may load and do: their own files, and nothing from anywhere else. */
export function pagePolicy({ nonce, connect = [], scripts = [] }: PolicyOptions = {}): string {
  const hashes = scripts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(" "),
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ""}`,
    "font-src 'self' data:",
    "img-src 'self' data:",
    ["connect-src 'self'", ...connect].join(" "),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
