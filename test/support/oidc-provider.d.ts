/** Types for the part of oidc-provider that the tests use; the package has none of its own. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  interface AccessToken {
    aud?: string | string[];
    scope?: string;
    /** Absent: no person gave it. */
    grantId?: string;
    destroy(): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
    on(event: string, listener: (...args: unknown[]) => void): this;
    readonly AccessToken: {
      find(token: string): Promise<AccessToken | undefined>;
      revokeByGrantId(grantId: string): Promise<void>;
    };
    readonly ClientCredentials: { find(token: string): Promise<AccessToken | undefined> };
    readonly Client: { adapter: { destroy(id: string): Promise<void> } };
    readonly RefreshToken: { revokeByGrantId(grantId: string): Promise<void> };
  }
}
