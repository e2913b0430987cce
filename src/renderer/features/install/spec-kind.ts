import { isGiven } from "../../../contract/found/given-form.ts";
import type { SourceKind } from "../../../contract/plugin.ts";

const npmName = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(@[^\s/]+)?$/i;

/** What a person most likely means by what they typed so far; null while it could still become anything. */
export function kindOfSpec(text: string): SourceKind | null {
  const spec = text.trim();
  if (spec === "") return null;
  if (isGiven(text)) return "mcp-import";
  if (spec.startsWith("builtin:")) return "builtin";
  if (/\.(tgz|tar\.gz|mcpb|dxt)$/i.test(spec)) return "tarball";
  if (isGit(spec)) return "git";
  if (isPath(spec)) return "folder";
  return npmName.test(spec) ? "npm" : null;
}

function isGit(spec: string): boolean {
  return (
    /^git(\+[a-z]+)?:/i.test(spec) ||
    /^(github|gitlab|bitbucket):/i.test(spec) ||
    /^[\w.-]+@[\w.-]+:/.test(spec) ||
    /^https?:\/\/.+\.git(#.*)?$/i.test(spec) ||
    /^https?:\/\/(github|gitlab|codeberg|bitbucket)\.[a-z]+\//i.test(spec) ||
    /^[a-z\d][\w-]*\/[\w.-]+(\/[^\s@#]+|#\S+)$/i.test(spec) ||
    /^(ssh|file):\/\/.+\.git(#.*)?$/i.test(spec)
  );
}

function isPath(spec: string): boolean {
  return /^(\.{0,2}[\\/]|~|[a-z]:[\\/]|file:)/i.test(spec) || spec === "." || spec === "..";
}
