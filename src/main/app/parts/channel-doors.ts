import { agentApiPrefix } from "../../gateway/agent-api/agent-api.ts";
import { ChannelTokens } from "../../gateway/agent-api/channel-tokens.ts";
import type { ChannelAccess } from "../../runtimes/runtime.ts";
import type { State } from "./state.ts";

/** Addresses and tokens for channel packages that speak HTTP to their agent. The gateway tells its address when it opens. */
export class ChannelDoors {
  readonly tokens = new ChannelTokens();
  readonly #state: Pick<State, "registry" | "vault">;
  #gatewayUrl = "http://127.0.0.1:0";

  constructor(state: Pick<State, "registry" | "vault">) {
    this.#state = state;
  }

  /** @param url of the gateway, without a slash at its end */
  open(url: string): void {
    this.#gatewayUrl = url;
  }

  access(agentId: string, pluginKey: string): ChannelAccess {
    const { registry, vault } = this.#state;
    const agentBaseUrl = `${this.#gatewayUrl}${agentApiPrefix}/${agentId}`;
    const namespace = registry.get(pluginKey)?.capabilities.channel?.namespace ?? pluginKey;
    const token = this.tokens.issue({ agentId, pluginKey, namespace });
    vault.hide(token);
    return { agentBaseUrl, publicAgentBaseUrl: agentBaseUrl, token };
  }
}
