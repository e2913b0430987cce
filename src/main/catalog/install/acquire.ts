import { PatchbayError } from "../../../contract/index.ts";
import { BroughtServer } from "../mcp/brought-server.ts";
import { RegisteredServer } from "../mcp/registered-server.ts";
import { ServerPackage } from "../mcp/server-package.ts";
import type { Acquisition, AcquisitionContext } from "../sources/acquisition.ts";
import { BuiltinPlugin } from "../sources/builtin.ts";
import { Endpoint } from "../sources/endpoint.ts";
import { CopiedFolder, LinkedFolder } from "../sources/folder.ts";
import { GitRepository } from "../sources/git.ts";
import { NpmPackage } from "../sources/npm.ts";
import { Tarball } from "../sources/tarball.ts";
import { parseSpec } from "../spec/spec.ts";

/**
 * Chooses how to fetch what the request names, by the kind of its source.
 * @throws PatchbayError SPEC_UNSUPPORTED
 */
export function openAcquisition(context: AcquisitionContext): Acquisition {
  const url = endpointOf(context);
  const spec = url === null ? parseSpec(context.request.spec) : ({ kind: "endpoint", url } as const);
  if (context.request.link && spec.kind !== "folder") {
    throw new PatchbayError("SPEC_UNSUPPORTED", "Only a folder can be linked.", {
      help: "Leave out the link option, or give a folder.",
    });
  }
  if (context.request.expectedIntegrity && spec.kind !== "npm" && spec.kind !== "tarball") {
    throw new PatchbayError(
      "SPEC_UNSUPPORTED",
      "Only a package file has an integrity that can be expected.",
      {
        help: "Leave out the integrity, or give an npm name or a .tgz file.",
      },
    );
  }
  switch (spec.kind) {
    case "folder":
      return context.request.link
        ? new LinkedFolder(spec.path, context)
        : new CopiedFolder(spec.path, context);
    case "npm":
      return spec.isServer
        ? new ServerPackage(spec.name, spec.range, context)
        : new NpmPackage(spec.name, spec.range, context);
    case "tarball":
      return new Tarball(spec.location, context);
    case "git":
      return new GitRepository(spec.url, spec, context);
    case "builtin":
      return new BuiltinPlugin(spec.key, context);
    case "endpoint":
      return new Endpoint(spec.url);
    case "mcp-registry":
      return new RegisteredServer(spec, context, context.mcpRegistry);
    case "mcp-import":
      return new BroughtServer(spec.spec, context, context.brought);
  }
}

/**
 * The endpoint that the spec names for a plugin system, or null. The systems are asked before anything else, because an
 * address of theirs may look like the name of a package.
 */
function endpointOf({ request, runtimes }: AcquisitionContext): string | null {
  const spec = request.spec.trim();
  for (const runtime of runtimes) {
    const url = runtime.endpointOf?.(spec) ?? null;
    if (url !== null) return url;
  }
  return null;
}
