/** Types for the part of npm's tree builder that is used here; the package has none of its own. */
declare module "@npmcli/arborist" {
  export interface ArboristNode {
    readonly name: string;
    readonly version: string;
    readonly isProjectRoot: boolean;
    /** Checksum that the registry announced; null when it announced none. */
    readonly integrity: string | null;
    /** It came within the archive of another package. */
    readonly inBundle: boolean;
    readonly hasInstallScript: boolean | undefined;
    readonly package: { scripts?: Record<string, string> };
    /** Null takes it out of its tree, with what only it needs. */
    parent: ArboristNode | null;
    readonly inventory: Map<string, ArboristNode>;
  }
  export interface ArboristOptions {
    path: string;
    registry: string;
    cache: string;
    ignoreScripts: boolean;
    packageLock: boolean;
    binLinks: boolean;
    audit: boolean;
    fund: boolean;
    dangerouslyAllowAllScripts?: boolean;
    allowGit?: "all" | "none" | "root";
    allowRemote?: "all" | "none" | "root";
    allowFile?: "all" | "none" | "root";
    allowDirectory?: "all" | "none" | "root";
    [npmOption: string]: unknown;
  }
  export default class Arborist {
    constructor(options: ArboristOptions);
    buildIdealTree(): Promise<ArboristNode>;
    reify(options: { save: boolean; omit?: string[] }): Promise<ArboristNode>;
    rebuild(): Promise<void>;
  }
}
