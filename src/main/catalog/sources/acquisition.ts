import type { Artifact, InstallRequest, SourceKind, Trust, Vouched } from "../../../contract/index.ts";
import type { Brought } from "../../runtimes/mcp/import/become/brought.ts";
import type { RegistryEntry } from "../../runtimes/mcp/registry/entry.ts";
import type { ServerFile } from "../../runtimes/mcp/server/server-file.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";
import type { FetchProcess } from "../fetch/fetch-process.ts";
import type { Step } from "../job-run.ts";

/** A fetched package that is ready to be inspected. */
export interface AcquiredPackage {
  /** The folder with the package: below staging, or the person's own for a link. Or an endpoint, which has no files. */
  artifact: Artifact;
  /** The exact version that the spec meant: `name@1.2.3`, a commit. */
  resolved?: string;
  registry?: string;
  /** Subresource integrity of the archive, where there was one. */
  integrity: string | null;
  publisher?: string;
  /** What its registry could prove of it. */
  vouched?: Vouched;
  /** A signature came with it, which nobody checked. */
  signatureUnchecked?: true;
  /** Packages in the tree, itself included, that want to run scripts at installation. */
  wantScripts: string[];
}

/** Fetches a package from one kind of source; one method for each phase. */
export interface Acquisition {
  readonly kind: SourceKind;
  /**
   * False: the plugin is used where it lies (a linked folder, an endpoint), so nothing is fetched, checked or placed.
   */
  readonly copies: boolean;
  readonly trust: Trust;
  /** Finds out the exact version that will be fetched. */
  resolve(step: Step): Promise<void>;
  /** Downloads it into the staging folder. */
  download(step: Step): Promise<void>;
  /** Checks that the download is the expected one, and unpacks it. */
  verify(step: Step): Promise<AcquiredPackage>;
}

/** An MCP Registry, as far as one of its servers is looked up. */
export interface KnowsServers {
  /** @throws PatchbayError PACKAGE_NOT_FOUND, REGISTRY_UNREACHABLE, REGISTRY_REFUSED */
  entry(name: string, version: string, signal?: AbortSignal): Promise<RegistryEntry>;
}

/** The servers of other programs, and those that were pasted. */
export interface KnowsBrought {
  /** @throws PatchbayError SOURCE_MISSING, SPEC_UNSUPPORTED */
  of(spec: string, signal?: AbortSignal): Promise<Brought>;
}

/** Finds the exact version of what the command of a server fetches. */
export interface KnowsVersions {
  /** The server with that version in its command; as it is where nobody can tell. */
  of(file: ServerFile, signal: AbortSignal): Promise<ServerFile>;
}

/** The request, and the services and folders that an acquisition needs. */
export interface AcquisitionContext {
  request: InstallRequest;
  runtimes: readonly PluginRuntime[];
  /** An empty folder of the job's own. */
  staging: string;
  /** The child process that talks to registries and unpacks archives; started at its first use. */
  fetch: FetchProcess;
  /** Registry to use when the request names none; null: that of the machine's npm configuration. */
  defaultRegistry: string | null;
  /** Folder of the built-in plugins. */
  builtinDir: string;
  npmCache: string;
  /** Where servers of the MCP Registry are looked up. */
  mcpRegistry: KnowsServers;
  brought: KnowsBrought;
  exactVersions?: KnowsVersions | undefined;
}
