import { AcrossPieces } from "../../../base/redact-across.ts";
import type { SecretLookup } from "../../ports.ts";

/** Longest run of text that is held back while it may still become a secret. */
const LONGEST = 1_024;

/**
 * Takes stored secrets out of streamed text. A secret may be cut in two by the pieces, so a word is passed on only when
 * it is complete. Of a secret of several words those are masked that come in a later piece.
 */
export class DeltaRedactor {
  private held = "";
  private readonly pieces: AcrossPieces;

  constructor(secrets: Pick<SecretLookup, "redact">) {
    this.pieces = new AcrossPieces((text) => secrets.redact(text));
  }

  /** What may be shown now. */
  push(piece: string): string {
    this.held += piece;
    const whole = this.held.length - (/[\x21-\x7e]*$/.exec(this.held)?.[0].length ?? 0);
    const end = this.held.length - whole > LONGEST ? this.held.length : whole;
    const shown = this.held.slice(0, end);
    this.held = this.held.slice(end);
    return shown && this.pieces.next(shown);
  }

  /** What was held back. */
  flush(): string {
    const rest = this.held;
    this.held = "";
    return rest && this.pieces.next(rest);
  }
}
