import type { Advisory, Problem, Vouched } from "../../../contract/index.ts";

/** How the child talks to a registry. Holds credentials: never log it. */
export interface NpmOptions {
  registry: string;
  /** Folder of the download cache. */
  cache: string;
  /** Further npm options: scope registries, credentials by host, proxies, certificates. */
  config: Record<string, string | boolean>;
}

export interface ResolvedPackage {
  name: string;
  version: string;
  /** Address of the archive. */
  tarball: string;
  integrity: string | null;
  publisher?: string;
  /** The account that published this very version, and the registry's signature of it fits. */
  vouchedPublisher?: string;
  deprecated?: string;
  signature: Vouched["signature"];
  provenance: Vouched["provenance"];
}

/** A package at one version. */
export interface PackageVersion {
  name: string;
  version: string;
}

/** The operations of the child: the input and the output of each. */
export interface FetchOperations {
  /** `spec` is `name@range`. */
  resolve: { input: { spec: string; options: NpmOptions }; output: ResolvedPackage };
  /** Saves an archive to `to` and checks it against `integrity` when given. */
  download: {
    input: { spec: string; to: string; integrity?: string; options: NpmOptions };
    output: { integrity: string; bytes: number };
  };
  /**
   * Unpacks an archive into the folder `to`. `files`: how many files it had. `isBundle`: it is a zip archive. `isSigned`: a
   * signature stood behind it, which nobody checked.
   */
  unpack: {
    input: { file: string; to: string };
    output: { files: number; isBundle: boolean; isSigned: boolean };
  };
  /** Fetches the dependencies of the package in `dir` into its `node_modules`. */
  dependencies: {
    /** `given`: names of packages that are there when the plugin runs, and are not fetched. */
    input: { dir: string; given: readonly string[]; options: NpmOptions };
    output: {
      added: PackageVersion[];
      /** Those of them for which the registry announced no checksum, as `name@version`. */
      withoutIntegrity: string[];
      wantScripts: string[];
    };
  };
  /** Asks the registry for known weaknesses of packages; null when it does not answer that. */
  advisories: {
    input: { packages: PackageVersion[]; options: NpmOptions };
    output: { advisories: Advisory[] | null };
  };
  /** Runs the installation scripts of the package in `dir` and of its dependencies. */
  scripts: { input: { dir: string; options: NpmOptions }; output: Record<string, never> };
}
export type FetchOperation = keyof FetchOperations;

export type FetchRequest = {
  [Op in FetchOperation]: { op: Op } & FetchOperations[Op]["input"];
}[FetchOperation];

export type ToChild = { id: number; request: FetchRequest };

export type FromChild =
  | { type: "log"; id: number; text: string }
  | { type: "progress"; id: number; done: number | null }
  | { type: "done"; id: number; output: unknown }
  | { type: "failed"; id: number; problem: Problem };
