import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Job } from "../../contract/index.ts";
import type { Places } from "../store/index.ts";
import type { InstallJobs } from "./jobs.ts";
import { problemOfSystemError } from "./system-errors.ts";

/**
 * Package files that a screen uploaded. Each is kept below the staging folder until its plugin is installed or its job
 * is removed from the list, so that the job can be tried again. The next start of the app removes the rest.
 */
export class Uploads {
  readonly #staging: string;
  readonly #jobs: InstallJobs;
  /** Path of the kept file by the id of its job. */
  readonly #kept = new Map<string, string>();

  constructor({ places, jobs }: { places: Pick<Places, "staging">; jobs: InstallJobs }) {
    this.#staging = places.staging;
    this.#jobs = jobs;
    jobs.changes.on("job", (job) => job.status === "done" && this.#drop(job.id));
    jobs.changes.on("removed", (id) => this.#drop(id));
  }

  /** @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async install(file: File): Promise<Job> {
    await this.#jobs.recover();
    const path = join(this.#staging, `upload-${randomUUID()}`, safeName(file.name));
    try {
      await mkdir(dirname(path), { recursive: true });
      await pipeline(Readable.fromWeb(file.stream()), createWriteStream(path));
    } catch (error) {
      await rm(dirname(path), { recursive: true, force: true });
      throw problemOfSystemError(error) ?? error;
    }
    const job = await this.#jobs.install({ spec: path });
    this.#kept.set(job.id, path);
    if (job.status === "done") this.#drop(job.id);
    return job;
  }

  #drop(id: string): void {
    const path = this.#kept.get(id);
    if (path === undefined) return;
    this.#kept.delete(id);
    // A file that cannot be removed now is removed at the next start.
    rm(dirname(path), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

/** The last part of the file's name, with characters replaced that have a meaning in paths of some system. */
function safeName(name: string): string {
  const cleaned = basename(name.replaceAll("\\", "/")).replace(/[^\w.@+ -]/g, "_");
  return cleaned.replace(/^\.+/, "_").slice(-120);
}
