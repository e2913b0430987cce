import { join } from "node:path";
import { PatchbayError, type Vouched } from "../../../contract/index.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import type { NpmOptions, ResolvedPackage } from "../fetch/protocol.ts";
import type { Step } from "../job-run.ts";
import type { AcquiredPackage, Acquisition, AcquisitionContext } from "./acquisition.ts";
import { assertIntegrity } from "./archive.ts";
import { completePackage } from "./dependencies.ts";
import { npmOptions, registryOf } from "./npm-configuration.ts";

/** A package of a registry, by name and range or tag. */
export class NpmPackage implements Acquisition {
  readonly kind = "npm";
  readonly copies = true;
  readonly trust = "unverified";
  readonly #name: string;
  readonly #range: string;
  readonly #context: AcquisitionContext;
  #found: ResolvedPackage | null = null;
  #options: NpmOptions | null = null;

  constructor(name: string, range: string, context: AcquisitionContext) {
    this.#name = name;
    this.#range = range;
    this.#context = context;
  }

  async resolve(step: Step): Promise<void> {
    const options = await npmOptions(this.#context);
    this.#options = { ...options, registry: registryOf(this.#name, options) };
    step.log(`Asking ${this.#options.registry} for ${this.#name}@${this.#range}`);
    const spec = `${this.#name}@${this.#range}`;
    this.#found = await this.#context.fetch.call({ op: "resolve", spec, options: this.#options }, step);
    step.log(`Found ${this.#found.name} ${this.#found.version}`);
    if (this.#found.deprecated) step.log(`Its publisher says: ${this.#found.deprecated}`);
  }

  async download(step: Step): Promise<void> {
    const { found, options } = this.#resolved();
    const saved = await this.#context.fetch.call(
      {
        op: "download",
        spec: `${found.name}@${found.version}`,
        to: this.#archive,
        ...(found.integrity && { integrity: found.integrity }),
        options,
      },
      step,
    );
    step.log(`Fetched ${Math.ceil(saved.bytes / 1024)} KiB`);
  }

  async verify(step: Step): Promise<AcquiredPackage> {
    const { found, options } = this.#resolved();
    const integrity = await assertIntegrity(
      this.#archive,
      found.integrity,
      this.#context.request,
      step.signal,
    );
    step.log(`Integrity ${integrity}`);
    const dir = join(this.#context.staging, "package");
    await this.#context.fetch.call({ op: "unpack", file: this.#archive, to: dir }, step);
    const { wantScripts, added, withoutIntegrity } = await completePackage(dir, this.#context, step);
    const { advisories } = await this.#context.fetch.call(
      { op: "advisories", packages: [{ name: found.name, version: found.version }, ...added], options },
      step,
    );
    const own = found.integrity === null ? [`${found.name}@${found.version}`] : [];
    const { signature, provenance, vouchedPublisher } = found;
    const vouched = {
      signature,
      provenance,
      ...(vouchedPublisher && { publisher: cleanLine(vouchedPublisher) }),
      withoutIntegrity: [...own, ...withoutIntegrity],
      advisories,
    };
    tell(vouched, step);
    return {
      artifact: { kind: "folder", dir },
      resolved: `${found.name}@${found.version}`,
      registry: options.registry,
      integrity,
      ...(found.publisher && { publisher: cleanLine(found.publisher) }),
      vouched,
      wantScripts,
    };
  }

  get #archive(): string {
    return join(this.#context.staging, "package.tgz");
  }

  #resolved(): { found: ResolvedPackage; options: NpmOptions } {
    if (!this.#found || !this.#options)
      throw new PatchbayError("INTERNAL", "The package was not resolved first.");
    return { found: this.#found, options: this.#options };
  }
}

const signatureWords: Record<Vouched["signature"], string> = {
  verified: "The registry's signature fits",
  missing: "It has no signature, although the registry signs packages",
  no_keys: "The registry signs no packages",
  unchecked: "Its signature could not be checked: the registry's keys were not to be had",
};

function tell({ signature, advisories }: Vouched, step: Step): void {
  step.log(signatureWords[signature]);
  if (advisories === null)
    step.log("Known weaknesses could not be checked: the registry does not answer that");
  for (const { packageName, severity, title, range } of advisories ?? []) {
    step.log(`Known weakness (${severity}) of ${packageName} ${range}: ${title}`);
  }
}
