import { agentApiPrefix } from "../../gateway/agent-api/agent-api.ts";
import { ChannelTokens } from "../../gateway/agent-api/channel-tokens.ts";
import type { PluginRegistry } from "../../registry/index.ts";
import type { ChannelAccess } from "../../runtimes/channel-door.ts";
import type { Vault } from "../../secrets/index.ts";

interface DoorNeeds {
  registry: Pick<PluginRegistry, "get">;
  vault: Pick<Vault, "hide">;
}

/** Addresses and tokens for channel packages that speak HTTP to their agent. The gateway tells its address when it opens. */
export class ChannelDoors {
  readonly tokens = new ChannelTokens();
  readonly #needs: DoorNeeds;
  #gatewayUrl = "http://127.0.0.1:0";

  constructor(needs: DoorNeeds) {
    this.#needs = needs;
  }

  /** @param url of the gateway, without a slash at its end */
  open(url: string): void {
    this.#gatewayUrl = url;
  }

  /** The ports of this computer at which Patchbay answers. */
  get ports(): number[] {
    return [Number(new URL(this.#gatewayUrl).port)];
  }

  access(agentId: string, pluginKey: string): ChannelAccess {
    const { registry, vault } = this.#needs;
    const agentBaseUrl = `${this.#gatewayUrl}${agentApiPrefix}/${agentId}`;
    const channel = registry.get(pluginKey)?.capabilities.channel;
    // A package that the person gave another key goes on speaking of itself as it always did.
    const namespace = channel?.speaksAs ?? channel?.namespace ?? pluginKey;
    const token = this.tokens.issue({ agentId, pluginKey, namespace });
    vault.hide(token);
    return { agentBaseUrl, publicAgentBaseUrl: agentBaseUrl, token };
  }
}
