import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "../../src/contract/index.ts";
import { openFileStorage, type Storage } from "../../src/main/store/index.ts";

/** A home folder for one test, with the services over it that must be closed before it is removed. */
export class TestHome {
  readonly path: string;
  readonly options: { storage: Storage; onNotice(problem: Problem): never };
  readonly #services: { close(): unknown }[] = [];

  static async open(): Promise<TestHome> {
    return new TestHome(await mkdtemp(join(tmpdir(), "patchbay-home-")));
  }

  private constructor(path: string) {
    this.path = path;
    const onNotice = (problem: Problem) => {
      throw new Error(problem.message);
    };
    this.options = { storage: openFileStorage({ home: path, onNotice }), onNotice };
  }

  owns(...services: { close(): unknown }[]): void {
    this.#services.push(...services);
  }

  async close(): Promise<void> {
    for (const service of this.#services) await service.close();
    await rm(this.path, { recursive: true, force: true });
  }
}
