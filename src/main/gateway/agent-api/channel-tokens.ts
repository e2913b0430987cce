import { randomBytes } from "node:crypto";

/** The channel that a token stands for. */
export interface ChannelIdentity {
  readonly agentId: string;
  readonly pluginKey: string;
  /** The only name under which this channel may speak. */
  readonly namespace: string;
}

/** Tokens of the running channels, kept in memory alone: each start of a channel gets a new one, which ends the one before. */
export class ChannelTokens {
  private readonly byToken = new Map<string, ChannelIdentity>();
  private readonly byChannel = new Map<string, string>();

  /** `oh_ch_` and 48 hexadecimal digits, as older channel packages expect (specs/openhermit.md, section 7.4). */
  issue(identity: ChannelIdentity): string {
    const name = channelName(identity);
    const before = this.byChannel.get(name);
    if (before !== undefined) this.byToken.delete(before);
    const token = `oh_ch_${randomBytes(24).toString("hex")}`;
    this.byChannel.set(name, token);
    this.byToken.set(token, identity);
    return token;
  }

  /**
   * The channel that a token was issued for; undefined for an unknown token. The object is the same for one start of
   * the channel, so comparing with `===` tells one start from the next.
   */
  identify(token: string): ChannelIdentity | undefined {
    return this.byToken.get(token);
  }
}

export function channelName({ agentId, pluginKey }: ChannelIdentity): string {
  return `${agentId}/${pluginKey}`;
}
