import { randomBytes } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { isAppUrl } from "./app-address.ts";

const securityHeaders = {
  "content-security-policy": contentSecurityPolicy(),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

const mediaTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Answers a request for `app://patchbay/…` from the built renderer. A path without an extension is a screen and gets
 * the page; anything outside `root`, of an unknown type or asked for with another method is refused.
 */
export async function answerFromFolder(root: string, request: Request): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(405);
  if (!isAppUrl(request.url)) return refuse(404);
  const path = filePath(new URL(request.url).pathname);
  if (path === undefined) return refuse(400);
  const mediaType = mediaTypes[extname(path)];
  if (!mediaType) return refuse(404);
  try {
    const base = await realpath(root);
    const file = await realpath(join(base, path));
    // A symbolic link inside the folder must not lead out of it either.
    if (!file.startsWith(base + sep)) return refuse(403);
    const headers = { ...securityHeaders, "content-type": mediaType };
    if (request.method === "HEAD") return new Response(null, { headers });
    const content = await readFile(file);
    return mediaType === mediaTypes[".html"]
      ? page(content.toString(), headers)
      : new Response(content, { headers });
  } catch {
    return refuse(404);
  }
}

/**
 * Some components insert `<style>` elements at run time. They get in by a nonce that the page is told in its head and that
 * no other load of it shares, so that no other style does.
 */
function page(html: string, headers: Record<string, string>): Response {
  const nonce = randomBytes(16).toString("base64");
  return new Response(html.replace("<head>", `<head><meta property="csp-nonce" nonce="${nonce}" />`), {
    headers: { ...headers, "content-security-policy": contentSecurityPolicy(nonce) },
  });
}

/** What the renderer may load and do: its own files, and nothing from anywhere else. */
function contentSecurityPolicy(nonce?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ""}`,
    "font-src 'self' data:",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The file that a path names, or undefined when the path tries to be clever. */
function filePath(pathname: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (path.includes("\0") || path.includes("\\") || path.split("/").includes("..")) return undefined;
  return extname(path) === "" ? "/index.html" : path;
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: securityHeaders });
}
