import { PatchbayError } from "../../../contract/index.ts";
import { folderOf } from "../../runtimes/artifact.ts";
import type { RegistryEntry } from "../../runtimes/mcp/registry/entry.ts";
import { offersOf, type ServerOffer } from "../../runtimes/mcp/registry/offers.ts";
import { writeServerOfBundle, writeServerOfPackage } from "../../runtimes/mcp/server/write-server.ts";
import type { Step } from "../job-run.ts";
import type {
  AcquiredPackage,
  Acquisition,
  AcquisitionContext,
  KnowsServers,
} from "../sources/acquisition.ts";
import { NpmPackage } from "../sources/npm.ts";
import { Tarball } from "../sources/tarball.ts";
import { withoutPackage } from "./no-package.ts";

export interface WantedServer {
  name: string;
  version: string;
  /** The way to have it; absent: the best one. */
  way?: string;
}

/** A server of an MCP Registry: fetched in the best way that it is offered, at the version that the registry names. */
export class RegisteredServer implements Acquisition {
  readonly kind = "mcp-registry";
  readonly copies = true;
  readonly trust = "unverified";
  readonly #wanted: WantedServer;
  readonly #context: AcquisitionContext;
  readonly #registry: KnowsServers;
  #found: { entry: RegistryEntry; offer: ServerOffer; inner: Acquisition | null } | null = null;

  constructor(wanted: WantedServer, context: AcquisitionContext, registry: KnowsServers) {
    this.#wanted = wanted;
    this.#context = context;
    this.#registry = registry;
  }

  async resolve(step: Step): Promise<void> {
    const { name, version, way } = this.#wanted;
    step.log(`Asking the MCP Registry for ${name}@${version}`);
    const entry = await this.#registry.entry(name, version, step.signal);
    if (entry.status === "deleted")
      throw new PatchbayError(
        "PACKAGE_NOT_FOUND",
        `${name} was withdrawn from the registry${entry.statusMessage ? `: ${entry.statusMessage}` : "."}`,
        { help: "Do not install it unless you know why it was withdrawn." },
      );
    const { offers, unknown } = offersOf(entry);
    const offer = way === undefined ? offers[0] : offers.find(({ kind }) => kind === way);
    if (!offer) {
      const kinds = unknown.length > 0 ? unknown.join(", ") : "nothing at all";
      throw new PatchbayError(
        "SPEC_UNSUPPORTED",
        `${name} is only offered as ${kinds}, which Patchbay cannot run.`,
        {
          help: "Look whether its author offers it in another way.",
        },
      );
    }
    const inner = this.#innerOf(offer);
    this.#found = { entry, offer, inner };
    step.log(`Found ${name} ${entry.server.version}, as ${offer.kind}`);
    if (entry.status === "deprecated")
      step.log(`Its publisher advises against it${entry.statusMessage ? `: ${entry.statusMessage}` : ""}`);
    await inner?.resolve(step);
  }

  async download(step: Step): Promise<void> {
    await this.#found?.inner?.download(step);
  }

  async verify(step: Step): Promise<AcquiredPackage> {
    if (!this.#found) throw new PatchbayError("INTERNAL", "The server was not resolved first.");
    const { entry, offer, inner } = this.#found;
    const resolved = `${entry.server.name}@${entry.server.version}`;
    if (inner === null) return { ...(await withoutPackage(offer.file, this.#context, step)), resolved };
    const acquired = await inner.verify(step);
    const dir = folderOf(acquired.artifact);
    if (offer.kind === "npm") await writeServerOfPackage(dir, offer.file);
    else await writeServerOfBundle(dir, offer.file);
    return { ...acquired, resolved };
  }

  #innerOf({ fetch }: ServerOffer): Acquisition | null {
    if (fetch === null) return null;
    const { request } = this.#context;
    if ("npm" in fetch) {
      const at = fetch.npm.lastIndexOf("@");
      const registry = fetch.registry ?? request.registry;
      const context = { ...this.#context, request: { ...request, ...(registry && { registry }) } };
      return new NpmPackage(fetch.npm.slice(0, at), fetch.npm.slice(at + 1), context);
    }
    const expectedIntegrity = `sha256-${Buffer.from(fetch.sha256, "hex").toString("base64")}`;
    return new Tarball(
      { url: fetch.bundle },
      { ...this.#context, request: { ...request, expectedIntegrity } },
    );
  }
}
