import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Cell } from "../../cell.ts";
import { runGit } from "../run-git.ts";

export interface ProjectGit {
  branch: string;
  dirty: boolean;
  remote: string;
  remote_url: string;
}

/** What a plugin is told of the folder that it works in; the order of the keys is fledge's. */
export interface Project {
  name: string;
  root: string;
  language: string;
  git: ProjectGit | null;
}

/** Describes a folder as fledge does. Starts git only where there is a repository. */
export function describeProject(
  root: string,
  env: Record<string, string>,
  cell?: Cell,
): Project | Promise<Project> {
  const project = { name: basename(root), root, language: languageOf(root), git: null };
  if (!isInRepository(root)) return project;
  return readGit(root, env, cell).then((git) => ({ ...project, git }));
}

const languages: [file: string, language: string][] = [
  ["Cargo.toml", "rust"],
  ["package.json", "node"],
  ["go.mod", "go"],
  ["pyproject.toml", "python"],
  ["setup.py", "python"],
  ["Gemfile", "ruby"],
  ["build.gradle", "java-gradle"],
  ["build.gradle.kts", "java-gradle"],
  ["pom.xml", "java-maven"],
  ["Package.swift", "swift"],
];

/**
 * The language found for each folder, with the folder's change time (nanoseconds) at that moment. It is valid while
 * that time is the same. Agents have few folders, so the map stays small.
 */
const known = new Map<string, { changed: bigint; language: string }>();
/**
 * A result is kept only for a folder whose last change is this long ago (nanoseconds): two changes close together may
 * have the same change time.
 */
const SETTLED_NS = 2_000_000_000n;

function languageOf(root: string): string {
  const changed = statSync(root, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  const found = known.get(root);
  if (found !== undefined && found.changed === changed) return found.language;
  const language = languages.find(([file]) => existsSync(join(root, file)))?.[1] ?? "generic";
  const settled = changed !== undefined && BigInt(Date.now()) * 1_000_000n - changed > SETTLED_NS;
  if (settled) known.set(root, { changed, language });
  else known.delete(root);
  return language;
}

function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}

/** Null where there is no commit yet, as with fledge. */
async function readGit(root: string, env: Record<string, string>, cell?: Cell): Promise<ProjectGit | null> {
  const [branch, status, remotes] = await Promise.all([
    runGit(["rev-parse", "--abbrev-ref", "HEAD"], root, env, cell),
    runGit(["status", "--porcelain"], root, env, cell),
    runGit(["remote"], root, env, cell),
  ]);
  if (branch === null) return null;
  const remote = remotes?.split("\n")[0]?.trim() || "origin";
  const url = (await runGit(["remote", "get-url", "--", remote], root, env, cell))?.trim() ?? "";
  return {
    branch: branch.trim(),
    dirty: (status ?? "").trim() !== "",
    remote,
    remote_url: url.replace(/^(https?:\/\/)[^/@]*@/i, "$1"),
  };
}
