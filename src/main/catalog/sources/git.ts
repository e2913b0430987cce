import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import semver from "semver";
import { PatchbayError } from "../../../contract/index.ts";
import type { Step } from "../job-run.ts";
import { folderPath, type GitRevision, type WantedOfGit } from "../spec/git-revision.ts";
import { withoutCredentials } from "../spec/spec.ts";
import type { AcquiredPackage, Acquisition, AcquisitionContext } from "./acquisition.ts";
import { completePackage } from "./dependencies.ts";
import { git } from "./git-command.ts";
import { keepFolder } from "./git-folder.ts";

/** A git repository, or one folder of it, at one commit. Its files are used as they are; nothing is built or run. */
export class GitRepository implements Acquisition {
  readonly kind = "git";
  readonly copies = true;
  readonly trust = "unverified";
  readonly #url: string;
  readonly #wanted: GitRevision;
  #folder: string | undefined;
  readonly #context: AcquisitionContext;
  /** A full commit id; or a revision (a short id, a tag) whose commit is known only after a full fetch. */
  #revision = "";

  constructor(url: string, { wanted, folder }: WantedOfGit, context: AcquisitionContext) {
    this.#url = url;
    this.#wanted = wanted;
    this.#folder = folder;
    this.#context = context;
  }

  async resolve(step: Step): Promise<void> {
    step.log(`Asking ${withoutCredentials(this.#url)}`);
    const listing = await this.#git(["ls-remote", "--", this.#url], step, this.#context.staging);
    this.#revision = this.#choose(readRefs(listing));
    step.log(`Commit ${this.#revision}`);
  }

  async download(step: Step): Promise<void> {
    await mkdir(this.#target);
    await this.#git(["init", "--quiet"], step);
    if (!(await this.#fetchOne(step))) await this.#fetchAll(step);
    await this.#git(["checkout", "--quiet", "--force", "--detach", this.#revision, "--"], step);
  }

  async verify(step: Step): Promise<AcquiredPackage> {
    const commit = (await this.#git(["rev-parse", "HEAD"], step)).trim();
    if (commit !== this.#revision) {
      throw new PatchbayError(
        "INTEGRITY_MISMATCH",
        "The files are not those of the commit that was asked for.",
        {
          details: { expected: this.#revision, found: commit },
        },
      );
    }
    await rm(join(this.#target, ".git"), { recursive: true, force: true });
    const folder = this.#folder;
    if (folder !== undefined) {
      step.log(`The plugin is its folder ${folder}`);
      await keepFolder(this.#target, folder, this.#asked);
    }
    const { wantScripts } = await completePackage(this.#target, this.#context, step);
    return {
      artifact: { kind: "folder", dir: this.#target, name: nameOf(folder ?? this.#url) },
      resolved: `${this.#url}#${commit}${folder === undefined ? "" : `:${folder}`}`,
      integrity: null,
      wantScripts,
    };
  }

  /** Fetches the one commit by its id, which most servers allow. False when this one does not. */
  async #fetchOne(step: Step): Promise<boolean> {
    if (!isWholeCommit(this.#revision)) return false;
    try {
      await this.#git([...fetchQuietly, "--depth=1", "--", this.#url, this.#revision], step);
      return true;
    } catch (error) {
      if (step.signal.aborted) throw error;
      return false;
    }
  }

  async #fetchAll(step: Step): Promise<void> {
    step.log("Fetching the whole repository");
    await this.#git(
      [...fetchQuietly, "--", this.#url, "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"],
      step,
    );
    try {
      const found = await this.#git(
        ["rev-parse", "--verify", "--end-of-options", `${this.#revision}^{commit}`],
        step,
      );
      this.#revision = found.trim();
    } catch (error) {
      if (step.signal.aborted) throw error;
      throw this.#noRevision(this.#revision);
    }
  }

  #choose(refs: Map<string, string>): string {
    switch (this.#wanted.kind) {
      case "default":
        return refs.get("HEAD") ?? fail(this.#noRevision("HEAD"));
      case "range":
        return this.#newestIn(this.#wanted.range, refs);
      case "committish": {
        const { committish } = this.#wanted;
        return revisionNamed(committish, refs) ?? fail(this.#noRevision(committish));
      }
      case "fragment": {
        const { fragment } = this.#wanted;
        const named = revisionNamed(fragment, refs);
        if (named) return named;
        this.#folder = folderPath(fragment);
        return refs.get("HEAD") ?? fail(this.#noRevision(fragment));
      }
    }
  }

  #newestIn(range: string, refs: Map<string, string>): string {
    const tags = [...refs.keys()]
      .filter((ref) => ref.startsWith("refs/tags/") && !ref.endsWith("^{}"))
      .map((ref) => ref.slice("refs/tags/".length))
      .filter((tag) => semver.valid(tag));
    const newest = semver.maxSatisfying(tags, range);
    if (!newest) throw this.#noRevision(range);
    return (
      refs.get(`refs/tags/${newest}^{}`) ?? refs.get(`refs/tags/${newest}`) ?? fail(this.#noRevision(range))
    );
  }

  #noRevision(wanted: string): PatchbayError {
    return new PatchbayError(
      "GIT_FAILED",
      `The repository ${withoutCredentials(this.#url)} has no branch, tag or commit “${wanted}”.`,
    );
  }

  /** What is looked for, in words for a person: the address and what of it. */
  get #asked(): { repository: string; orRevision: boolean } {
    return { repository: withoutCredentials(this.#url), orRevision: this.#wanted.kind === "fragment" };
  }

  #git(args: string[], step: Step, cwd = this.#target): Promise<string> {
    return git(args, { url: this.#url, cwd, signal: step.signal });
  }

  get #target(): string {
    return join(this.#context.staging, "package");
  }
}

const fetchQuietly = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];

function isWholeCommit(revision: string): boolean {
  return /^[0-9a-f]{40}$/.test(revision);
}

/** The commit of a branch or tag, or what looks like the id of a commit, a short one among them. */
function revisionNamed(name: string, refs: Map<string, string>): string | null {
  const tag = refs.get(`refs/tags/${name}^{}`) ?? refs.get(`refs/tags/${name}`);
  const named = refs.get(`refs/heads/${name}`) ?? tag ?? refs.get(name);
  if (named) return named;
  return /^[0-9a-f]{7,40}$/i.test(name) ? name.toLowerCase() : null;
}

function readRefs(listing: string): Map<string, string> {
  const refs = new Map<string, string>();
  for (const line of listing.split("\n")) {
    const [commit, ref] = line.trim().split("\t");
    if (commit && ref) refs.set(ref, commit);
  }
  return refs;
}

function fail(error: Error): never {
  throw error;
}

/** The last part of a path or address: what a clone of it would be called. */
function nameOf(place: string): string {
  return /([^/:]+?)(?:\.git)?\/*$/.exec(place)?.[1] ?? "plugin";
}
