import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { PatchbayError } from "../../contract/index.ts";
import { commonHeaders } from "./answer.ts";
import { guardPage } from "./page-policy.ts";

/**
 * Serves the built screens. They hold no secrets, so no token is asked for; the page has its token in the fragment of
 * its link.
 * Written by hand instead of with sirv: the page with its nonce, the errors and the headers are our own in any case.
 * sirv would save twenty lines, and importing it costs each start 55 ms (measured on a busy machine).
 * @throws PatchbayError NOT_FOUND, BAD_INPUT
 */
export async function serveStatic(
  folder: string,
  pathname: string,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD")
    throw new PatchbayError("NOT_FOUND", `Nothing here answers to ${request.method}.`);
  const path = resolvePath(folder, pathname);
  const content = await contentOf(path);
  if (content === undefined) {
    throw path.endsWith(`${sep}index.html`)
      ? new PatchbayError("NOT_FOUND", "The screens are not built. Run `npm run build` first.")
      : new PatchbayError("NOT_FOUND", "There is no such file.");
  }
  if (extname(path) === ".html") return sendPage(content.toString("utf8"), port, request, response);
  response.writeHead(200, {
    ...commonHeaders,
    "content-type": contentTypes[extname(path)] ?? "application/octet-stream",
    "content-length": content.byteLength,
    "cache-control": "public, max-age=31536000, immutable",
  });
  response.end(request.method === "HEAD" ? undefined : content);
}

function sendPage(content: string, port: number, request: IncomingMessage, response: ServerResponse): void {
  const sockets = [`ws://127.0.0.1:${port}`, `ws://localhost:${port}`];
  const { html, policy } = guardPage(content, sockets);
  response.writeHead(200, {
    ...commonHeaders,
    "content-type": contentTypes[".html"],
    "content-length": Buffer.byteLength(html),
    "cache-control": "no-store",
    "content-security-policy": policy,
    "x-frame-options": "DENY",
  });
  response.end(request.method === "HEAD" ? undefined : html);
}

function resolvePath(folder: string, pathname: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch (cause) {
    throw new PatchbayError("BAD_INPUT", "The address is not written correctly.", { cause });
  }
  const path = normalize(join(folder, decoded));
  if (path !== folder && !path.startsWith(folder + sep))
    throw new PatchbayError("NOT_FOUND", "There is no such file.");
  // Addresses without an extension are screens of the one page.
  return extname(path) === "" ? join(folder, "index.html") : path;
}

/**
 * The whole file, or undefined when it cannot be read. Not a stream: the largest file of the build is below a megabyte,
 * and streaming takes several times as long.
 */
async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch {
    return undefined;
  }
}

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
};
