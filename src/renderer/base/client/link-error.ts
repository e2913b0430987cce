export type OpenFailure = "refused" | "unreachable";

/** Thrown when no way to the core opens. `refused` means that trying again with the same token is useless. */
export class LinkError extends Error {
  readonly failure: OpenFailure;
  constructor(failure: OpenFailure) {
    super(failure);
    this.name = "LinkError";
    this.failure = failure;
  }
}
