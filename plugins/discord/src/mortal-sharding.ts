import { SimpleShardingStrategy } from "discord.js";

/** Of the library's connection, what is put right here. Without `recover` it is ended for good. */
interface Shard {
  destroy(options?: { recover?: unknown }): Promise<void>;
}

/**
 * The connections of a client. One that is ended before Discord has said that it is ready takes that for a failure, connects
 * again behind everybody's back, and never says that it has ended. Here nothing brings back what is ended for good.
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
