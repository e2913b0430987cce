import type { Artifact, InstallRequest, SourceKind, Trust } from "../../../contract/index.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";
import type { FetchProcess } from "../fetch/fetch-process.ts";
import type { Step } from "../job-run.ts";

/** A package that lies ready to be inspected. */
export interface AcquiredPackage {
  /** The folder with the package: below staging, or the person's own for a link. Or an endpoint, which has no files. */
  artifact: Artifact;
  /** What the spec meant: `name@1.2.3`, a commit. */
  resolved?: string;
  registry?: string;
  /** Subresource integrity of the archive, where there was one. */
  integrity: string | null;
  publisher?: string;
  /** Packages in the tree, itself included, that want to run scripts at installation. */
  wantScripts: string[];
}

/** The way from one kind of source to something that can be inspected, one method a phase. */
export interface Acquisition {
  readonly kind: SourceKind;
  /** False: it is used where it is; there is nothing to fetch, to check and to place. */
  readonly copies: boolean;
  readonly trust: Trust;
  /** Finds out exactly what will be fetched. */
  resolve(step: Step): Promise<void>;
  /** Brings it into staging. */
  download(step: Step): Promise<void>;
  /** Checks that it is what was meant and lays it out. */
  verify(step: Step): Promise<AcquiredPackage>;
}

/** What an acquisition works with. */
export interface AcquisitionContext {
  request: InstallRequest;
  runtimes: readonly PluginRuntime[];
  /** An empty folder of the job's own. */
  staging: string;
  /** The child process that talks to registries and unpacks archives; started at its first use. */
  fetch: FetchProcess;
  /** Registry to use when the request names none; null: that of the machine's npm configuration. */
  defaultRegistry: string | null;
  /** Where the built-in plugins lie. */
  builtinDir: string;
  npmCache: string;
}
