/** What this plugin uses of sasl-scram-sha-1 1.4.0, which has no types of its own. */
declare module "sasl-scram-sha-1/lib/bitops.js" {
  const bitops: {
    /** PBKDF2 with HMAC-SHA-1, as RFC 5802 calls it. */
    Hi(password: string, salt: Uint8Array, rounds: number): Promise<Uint8Array>;
  };
  export default bitops;
}
