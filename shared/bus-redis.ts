import { RedisPubSub } from 'graphql-redis-subscriptions';
import type { Redis } from 'ioredis';
import type { Bus } from './bus.js';

/**
 * The bus across instances. Only `subscribe` and `publish` of the library are used: its own iterator begins to listen on
 * the first `next()` and queues without bound, ours does neither (see `streamOf`).
 */
export function createRedisBus(publisher: Redis, subscriber: Redis): Bus {
  const pubSub = new RedisPubSub({ publisher, subscriber });
  return {
    publish: (topic, payload) => pubSub.publish(topic, payload),
    listen: async (topic, listener) => {
      const id = await pubSub.subscribe(topic, listener);
      return () => {
        pubSub.unsubscribe(id);
        return Promise.resolve();
      };
    },
    close: async () => {
      await Promise.all([leave(publisher), leave(subscriber)]);
    },
  };
}

/** Lets a connection go. A Redis that is away cannot be taken leave of, and must not keep the house from closing. */
async function leave(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') redis.disconnect();
  else
    await redis.quit().catch(() => {
      redis.disconnect();
    });
}
