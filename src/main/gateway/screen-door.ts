import type { IncomingMessage, ServerResponse } from "node:http";
import { gatewayPaths, PatchbayError } from "../../contract/index.ts";
import type { Authority } from "../authority/index.ts";
import { sendJson } from "./answer.ts";
import { bearerOf, type Guard } from "./guard.ts";

interface DoorNeeds {
  authority: Authority;
  guard: Pick<Guard, "byBearer">;
  /** Told of each token that was given out, so that no log shows it. */
  hide(token: string): void;
  /** A link was used up. */
  onOpened(): void;
}

/** Lets pages in by the code of a link, and replaces their tokens. */
export class ScreenDoor {
  readonly #needs: DoorNeeds;

  constructor(needs: DoorNeeds) {
    this.#needs = needs;
  }

  isFor(pathname: string): boolean {
    return pathname === gatewayPaths.openScreen || pathname === gatewayPaths.renewScreen;
  }

  /** @throws PatchbayError UNAUTHORIZED, NOT_FOUND, DISK_FULL, WRITE_FAILED */
  async serve(pathname: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST")
      throw new PatchbayError("NOT_FOUND", "This address answers to POST alone.");
    const token = await (pathname === gatewayPaths.openScreen ? this.#open(request) : this.#renew(request));
    this.#needs.hide(token);
    sendJson(response, 200, { token });
  }

  async #open(request: IncomingMessage): Promise<string> {
    const { authority } = this.#needs;
    if (!authority.links.take(bearerOf(request) ?? "")) {
      authority.refused("a link that was used or is none");
      throw new PatchbayError("UNAUTHORIZED", "This link was used already, or is none of this Patchbay.");
    }
    const { token } = await authority.screens.open(nameOf(request.headers["user-agent"] ?? ""));
    this.#needs.onOpened();
    return token;
  }

  #renew(request: IncomingMessage): Promise<string> {
    const asker = this.#needs.guard.byBearer(request);
    if (asker.kind === "screen") return this.#needs.authority.screens.renew(asker.id);
    throw new PatchbayError("UNAUTHORIZED", "Only a page has a token that is replaced so.");
  }
}

const browsers = ["Edg", "OPR", "Firefox", "Chrome", "Safari"];
const systems = ["Windows", "Mac OS X", "Android", "Linux", "iPhone", "iPad"];

/** Browser and system of a page, as far as its browser says. */
function nameOf(userAgent: string): string {
  const browser = browsers.find((name) => userAgent.includes(`${name}/`)) ?? "A browser";
  const system = systems.find((name) => userAgent.includes(name));
  const shown = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system ? `${shown} on ${system === "Mac OS X" ? "macOS" : system}` : shown;
}
