import type { Step } from "../job-run.ts";
import type { AcquiredPackage, Acquisition } from "./acquisition.ts";

/** An address that a plugin system understands. Nothing is fetched; the server there is asked at the inspection. */
export class Endpoint implements Acquisition {
  readonly kind = "endpoint";
  readonly copies = false;
  readonly trust = "unverified";
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async resolve(step: Step): Promise<void> {
    step.log(`Address ${this.#url}`);
  }

  async download(): Promise<void> {}

  async verify(): Promise<AcquiredPackage> {
    return { artifact: { kind: "endpoint", url: this.#url }, integrity: null, wantScripts: [] };
  }
}
