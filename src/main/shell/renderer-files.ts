import { readFile, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { isAppUrl } from "./app-address.ts";

/** What the renderer may load and do: its own files, and nothing from anywhere else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const securityHeaders = {
  "content-security-policy": contentSecurityPolicy,
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
    const body = request.method === "HEAD" ? null : new Uint8Array(await readFile(file));
    return new Response(body, { headers: { ...securityHeaders, "content-type": mediaType } });
  } catch {
    return refuse(404);
  }
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
