import { RedisPubSub } from 'graphql-redis-subscriptions';
import { createLocalBus, type Bus, type BusMessage } from './bus.js';
import type { Logger } from '../kernel/log.js';
import { openRedis, withinPatience, type RedisConnection } from './redis.js';

const patienceMs = 250;
/** How long publishers bypass Redis after it failed to reply in time. */
const restMs = 1_000;
/** Interval of the PING on the subscriber's connection, which may be idle for hours. */
const heartbeatMs = 10_000;
const publisherSilenceMs = 1_000;
/** Longer than for publishers: whatever a slow Redis would send after a pause is lost when the connection is dropped. */
const subscriberSilenceMs = 5_000;
const topicsAtOnce = 1_000;

export interface RedisBus extends Bus {
  readonly connections: readonly RedisConnection[];
}

/** Redis carries only hints and live events: while it is away they reach this instance's listeners only, and nothing is stored. It resumes by itself. */
export function createRedisBus(url: string, log: Logger): RedisBus {
  const publisher = openRedis(url, log, { name: 'publisher', silenceMs: publisherSilenceMs });
  const subscriber = steady(openRedis(url, log, { name: 'subscriber', silenceMs: subscriberSilenceMs }));
  const pubSub = new RedisPubSub({ publisher, subscriber, deserializer: (text) => parsed(text.toString()) });
  const here = createLocalBus();
  const heartbeat = setInterval(() => {
    subscriber.ping().catch(() => undefined);
  }, heartbeatMs);

  let restUntil = 0;
  const publishAll = async (messages: readonly BusMessage[]): Promise<void> => {
    if (messages.length === 0) return;
    try {
      if (publisher.status !== 'ready' || performance.now() < restUntil) {
        await here.publishAll(messages);
        return;
      }
      const published = messages.flatMap(({ topics, payload }) =>
        topics.map((topic) => pubSub.publish(topic, payload)),
      );
      await withinPatience(Promise.all(published), patienceMs);
    } catch {
      // The connection logs its own loss. Redis may have delivered part of the messages: an event may arrive twice.
      restUntil = performance.now() + restMs;
      await here.publishAll(messages);
    }
  };

  return {
    connections: [publisher, subscriber],
    publishAll,
    publish: (topic, payload) => publishAll([{ topics: [topic], payload }]),
    listen: async (topic, listener) => {
      const stop = await here.listen(topic, listener);
      const id = await pubSub.subscribe(topic, (payload: unknown) => {
        if (payload === undefined) log.warn({ topic }, 'A message on the bus is not JSON and is ignored');
        else listener(payload);
      });
      return async () => {
        await stop();
        pubSub.unsubscribe(id);
      };
    },
    close: () => {
      clearInterval(heartbeat);
      // No QUIT: shutdown would wait for the reply of a silent Redis.
      publisher.disconnect();
      subscriber.disconnect();
      return here.close();
    },
  };
}

/** Keeps a subscription to exactly the wanted topics across reconnects, without the errors that RedisPubSub leaves uncaught. */
function steady(subscriber: RedisConnection): RedisConnection {
  const wanted = new Set<string>();
  const subscribe = subscriber.subscribe.bind(subscriber);
  const unsubscribe = subscriber.unsubscribe.bind(subscriber);
  const begin = async (topics: readonly string[]): Promise<void> => {
    if (subscriber.status !== 'ready') return;
    // On failure the connection is lost; the `ready` handler subscribes to all topics again.
    await withinPatience(subscribe(...topics), patienceMs).catch(() => undefined);
  };
  subscriber.on('ready', () => {
    const topics = [...wanted];
    for (let from = 0; from < topics.length; from += topicsAtOnce) void begin(topics.slice(from, from + topicsAtOnce));
  });
  return Object.assign(subscriber, {
    subscribe: async (topic: string, done: () => void) => {
      wanted.add(topic);
      await begin([topic]);
      done();
    },
    unsubscribe: async (topic: string) => {
      wanted.delete(topic);
      if (subscriber.status === 'ready') await unsubscribe(topic).catch(() => undefined);
    },
    // There are no patterns.
    punsubscribe: () => Promise.resolve(),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
