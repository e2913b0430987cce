import { readFile, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { guardPage, pagePolicy } from "../../gateway/page-policy.ts";
import { isAppUrl } from "./app-address.ts";

const securityHeaders = {
  "content-security-policy": pagePolicy(),
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

function page(content: string, headers: Record<string, string>): Response {
  const { html, policy } = guardPage(content);
  return new Response(html, { headers: { ...headers, "content-security-policy": policy } });
}

/** The file for a path; undefined when the path could lead out of the folder or cannot be decoded. */
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
