/** What {@link Authority} uses of node-forge, which has no types of its own. */
declare module "node-forge" {
  export interface Key {
    readonly n: unknown;
  }
  export interface Name {
    name: string;
    value: string;
  }
  export type Extension =
    | { name: "basicConstraints"; cA: boolean; critical?: boolean }
    | { name: "keyUsage"; keyCertSign?: boolean; digitalSignature?: boolean; critical?: boolean }
    | { name: "extKeyUsage"; serverAuth: boolean }
    | { name: "subjectKeyIdentifier" }
    /** Type 2: a DNS name; 7: an IP address. */
    | { name: "subjectAltName"; altNames: ({ type: 2; value: string } | { type: 7; ip: string })[] };
  export interface Certificate {
    publicKey: Key;
    serialNumber: string;
    validity: { notBefore: Date; notAfter: Date };
    setSubject(names: Name[]): void;
    setIssuer(names: Name[]): void;
    setExtensions(extensions: Extension[]): void;
    sign(key: Key, digest: unknown): void;
  }
  const forge: {
    pki: {
      createCertificate(): Certificate;
      certificateToPem(certificate: Certificate): string;
      privateKeyFromPem(pem: string): Key;
      publicKeyFromPem(pem: string): Key;
    };
    md: { sha256: { create(): unknown } };
  };
  export default forge;
}
