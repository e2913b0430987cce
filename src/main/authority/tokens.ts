import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A token in two parts: a name, which is no secret, and a secret. It is shown as `<id>.<secret>`. */
export interface TokenParts {
  id: string;
  secret: string;
}

const shape = /^([\w-]{16})\.([\w-]{43})$/;

export function newToken(): TokenParts {
  return { id: randomBytes(12).toString("base64url"), secret: newSecret() };
}

export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function tokenText({ id, secret }: TokenParts): string {
  return `${id}.${secret}`;
}

/** The parts of a token; undefined when the text is none. */
export function partsOf(token: string): TokenParts | undefined {
  const [, id, secret] = shape.exec(token) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

/** What is kept of a secret: who reads it cannot make the secret from it. Base64url. */
export function keyOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Compares two texts in a time that says nothing of where they differ. */
export function same(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
