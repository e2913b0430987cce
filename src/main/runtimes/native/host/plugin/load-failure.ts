import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import type { ErrorCode } from "../../../../../contract/index.ts";
import { HostError, messageOf, stackOf } from "../../../hosted/node/host-error.ts";

/**
 * The failure of a module that does not load, in words that name the plugin's own file and line. Where the package lies is
 * left out: while it is looked at that is a folder which is gone afterwards.
 *
 * @param entry path of the module that was imported, when it is known
 */
export function loadFailure(
  code: ErrorCode,
  dir: string,
  entry: string | undefined,
  error: unknown,
): HostError {
  const said = insideOf(dir, messageOf(error)).replace(/\nRequire stack:\n[\s\S]*$/, "");
  const stack = insideOf(dir, stackOf(error) ?? "");
  const place =
    placeIn(stack) ??
    (error instanceof SyntaxError && entry ? brokenFile(dir, entry, error.message) : undefined);
  const where = place === undefined ? "" : ` (${place.file}, line ${place.line})`;
  const message = `The plugin could not be loaded: ${said.slice(0, 4_000)}${where}`;
  return new HostError(code, message, stack === "" ? undefined : { stack });
}

/** The text with paths as they are seen from inside of the package: `lib/index.js`. */
export function insideOf(dir: string, text: string): string {
  const roots = new Set([real(dir), dir]);
  let inside = text;
  for (const root of roots) {
    inside = inside.replaceAll(`${pathToFileURL(root).href}/`, "").replaceAll(`${root}/`, "");
    inside = inside.replaceAll(root, "the package's folder");
  }
  return inside;
}

interface Place {
  /** Path inside of the package. */
  file: string;
  /** Counted from 1. */
  line: number;
}

/** The first place in a stack that is inside of the package: there paths are relative. */
function placeIn(stack: string): Place | undefined {
  const [head = "", ...frames] = stack.split("\n");
  const found = [/^([^\s:/][^:]*):(\d+)$/.exec(head)];
  for (const frame of frames)
    found.push(/^\s+at (?:.*\()?(?:async )?([^\s():/][^():]*):(\d+):\d+\)?$/.exec(frame));
  const place = found.find((match) => match && !match[1]?.startsWith("node"));
  return place?.[1] === undefined ? undefined : { file: place[1], line: Number(place[2]) };
}

const MOST_FILES = 200;

/**
 * The file that has the error of syntax, looked for among those that the entry imports by relative paths. Node's error
 * for a module says neither the file nor the line.
 */
function brokenFile(dir: string, entry: string, message: string): Place | undefined {
  const seen = new Set<string>();
  const pending = [entry];
  for (let file = pending.shift(); file !== undefined && seen.size < MOST_FILES; file = pending.shift()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const source = textOf(file);
    const line = lineOfError(source, message);
    if (line !== undefined) return { file: insideOf(dir, file), line };
    for (const [, path = ""] of source.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']*)["']/g))
      pending.push(join(dirname(file), path));
  }
  return undefined;
}

/**
 * The line of the syntax error with this message; undefined when the source has none. What only modules may have is
 * changed in place, so that lines stay, because only the compiler of scripts says where it fails. Nothing is run.
 */
function lineOfError(source: string, message: string): number | undefined {
  const asScript = source
    .replace(/^#!.*/, "")
    .replace(/\bimport\s*\.\s*meta\b/g, "({}).meta")
    .replace(/^(\s*)import\s+(?:[\w*{][^;"']*?from\s*)?["'][^"'\n]*["'][^;\n]*/gm, blank)
    .replace(/^(\s*)export\s+(?:\*[^;\n]*|\{[^}]*\}[^;\n]*)/gm, blank)
    .replace(/^(\s*)export\s+default\b/gm, "$1var _ =")
    .replace(/^(\s*)export\s+/gm, "$1");
  try {
    new Script(`"use strict"; (async () => {${asScript}\n})`, { filename: "plugin" });
    return undefined;
  } catch (error) {
    const line = /^plugin:(\d+)/.exec(stackOf(error) ?? "")?.[1];
    return messageOf(error) === message && line !== undefined ? Number(line) : undefined;
  }
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
