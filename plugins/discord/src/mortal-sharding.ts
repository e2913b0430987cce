import { SimpleShardingStrategy } from "discord.js";

/** The part of the library's connection that is changed here. `destroy` without `recover` ends it for good. */
interface Shard {
  destroy(options?: { recover?: unknown }): Promise<void>;
}

/**
 * Makes the library's connections stay closed once they were ended. By itself, a connection that is ended before
 * Discord has said "ready" takes that for a failure: it connects again without telling anybody, and never reports its
 * end.
 */
export class MortalSharding extends SimpleShardingStrategy {
  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds);
    const shards: unknown = Reflect.get(this, "shards");
    if (shards instanceof Map) for (const shard of shards.values()) makeMortal(shard as Shard);
  }
}

function makeMortal(shard: Shard): void {
  const destroy = shard.destroy.bind(shard);
  let isOver = false;
  shard.destroy = async (options = {}) => {
    if (isOver) return;
    isOver = options.recover === undefined;
    await destroy(options);
  };
}
