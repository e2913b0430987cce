import { randomBytes } from "node:crypto";

/** The channel that a token stands for. */
export interface ChannelIdentity {
  readonly agentId: string;
  readonly pluginKey: string;
  /** The only name under which this channel may speak. */
  readonly namespace: string;
}

/** Tokens of the running channels: one for each (agent, plugin), made anew at every start of Patchbay, kept in memory alone. */
export class ChannelTokens {
  private readonly byToken = new Map<string, ChannelIdentity>();
  private readonly byChannel = new Map<string, string>();

  /** `oh_ch_` and 48 hexadecimal digits, as older channel packages expect (specs/openhermit.md, section 7.4). */
  tokenFor(identity: ChannelIdentity): string {
    const name = `${identity.agentId}/${identity.pluginKey}`;
    const known = this.byChannel.get(name);
    if (known !== undefined) return known;
    const token = `oh_ch_${randomBytes(24).toString("hex")}`;
    this.byChannel.set(name, token);
    this.byToken.set(token, identity);
    return token;
  }

  identify(token: string): ChannelIdentity | undefined {
    return this.byToken.get(token);
  }
}
