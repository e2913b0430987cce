import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { PatchbayError } from "../../contract/index.ts";
import { commonHeaders } from "./answer.ts";
import { guardPage } from "./page-policy.ts";

/**
 * Serves the built screens. They hold no secrets, so no token is asked for; the page brings its own in the fragment of
 * the link. Ours instead of sirv: the page with its nonce, the errors and the headers are our own in any case, what sirv
 * would take over is twenty lines, and importing it costs each start 55 ms (measured on a busy machine).
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
  const size = await fileSize(path);
  if (size === undefined) {
    throw path.endsWith(`${sep}index.html`)
      ? new PatchbayError("NOT_FOUND", "The screens are not built. Run `npm run build` first.")
      : new PatchbayError("NOT_FOUND", "There is no such file.");
  }
  if (extname(path) === ".html") return sendPage(path, port, request, response);
  response.writeHead(200, {
    ...commonHeaders,
    "content-type": contentTypes[extname(path)] ?? "application/octet-stream",
    "content-length": size,
    "cache-control": "public, max-age=31536000, immutable",
  });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  // A reader that goes away ends the stream early; nothing is wrong then.
  await pipeline(createReadStream(path), response).catch(() => response.destroy());
}

async function sendPage(
  path: string,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const sockets = [`ws://127.0.0.1:${port}`, `ws://localhost:${port}`];
  const { html, policy } = guardPage(await readFile(path, "utf8"), sockets);
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

async function fileSize(path: string): Promise<number | undefined> {
  try {
    const entry = await stat(path);
    return entry.isFile() ? entry.size : undefined;
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
