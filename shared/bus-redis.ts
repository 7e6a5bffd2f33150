import { createLocalBus, type Bus, type BusMessage } from './bus.js';
import type { Logger } from './log.js';
import { openRedis, withinPatience, type RedisConnection } from './redis.js';

/** How long a publisher or a new listener waits for Redis. */
const patienceMs = 250;
/** How long publishers bypass Redis after it failed to reply in time. */
const restMs = 1_000;
/** Interval of the PING on the subscriber's connection, which may be idle for hours. */
const heartbeatMs = 10_000;
const publisherSilenceMs = 1_000;
/** Longer than for publishers: whatever a slow Redis would send after a pause is lost when the connection is dropped. */
const subscriberSilenceMs = 5_000;
/** Topics in one SUBSCRIBE command after a reconnect. */
const topicsAtOnce = 1_000;

/** The bus between instances, with its connections to Redis. */
export interface RedisBus extends Bus {
  readonly connections: readonly RedisConnection[];
}

/**
 * Creates the bus between instances. Redis carries only hints and live events, so nothing waits for it: while it is unavailable, messages reach only the
 * listeners of this instance, and nothing is stored for later. Subscriptions resume by themselves once it is back.
 */
export function createRedisBus(url: string, log: Logger): RedisBus {
  const publisher = openRedis(url, log, { name: 'publisher', silenceMs: publisherSilenceMs });
  const subscriber = openRedis(url, log, { name: 'subscriber', silenceMs: subscriberSilenceMs });
  const here = createLocalBus();
  const { attend, leave } = attendance(subscriber);
  subscriber.on('message', (topic: string, text: string) => {
    const payload = parsed(text);
    if (payload === undefined) log.warn({ topic }, 'A message on the bus is not JSON and is ignored');
    else void here.publish(topic, payload);
  });
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
      await withinPatience(pipelined(publisher, messages), patienceMs);
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
      await attend(topic);
      return async () => {
        await stop();
        leave(topic);
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

/** Publishes all messages in one pipeline. @throws when Redis did not accept every one of them */
async function pipelined(publisher: RedisConnection, messages: readonly BusMessage[]): Promise<void> {
  const pipeline = publisher.pipeline();
  for (const { topics, payload } of messages) {
    const text = JSON.stringify(payload);
    for (const topic of topics) pipeline.publish(topic, text);
  }
  const failed = (await pipeline.exec())?.find(([error]) => error !== null);
  if (failed?.[0] != null) throw failed[0];
}

/** Keeps the connection subscribed to exactly the topics that have listeners, also across reconnects. */
function attendance(subscriber: RedisConnection) {
  const topics = new Map<string, { listeners: number; begun: Promise<void> }>();
  const begin = (names: readonly string[]): Promise<void> => {
    if (subscriber.status !== 'ready') return Promise.resolve();
    const begun = withinPatience(subscriber.subscribe(...names), patienceMs);
    // On failure the connection is lost; the `ready` handler subscribes to all topics again.
    return begun.then(
      () => undefined,
      () => undefined,
    );
  };
  subscriber.on('ready', () => {
    const names = [...topics.keys()];
    for (let from = 0; from < names.length; from += topicsAtOnce) {
      const chunk = names.slice(from, from + topicsAtOnce);
      const begun = begin(chunk);
      for (const name of chunk) {
        const topic = topics.get(name);
        if (topic !== undefined) topic.begun = begun;
      }
    }
  });
  return {
    /** Resolves once the topic is subscribed to, or once it is clear that Redis does not reply at the moment. */
    attend: (name: string): Promise<void> => {
      const topic = topics.get(name) ?? { listeners: 0, begun: begin([name]) };
      topic.listeners += 1;
      topics.set(name, topic);
      return topic.begun;
    },
    leave: (name: string): void => {
      const topic = topics.get(name);
      if (topic === undefined) return;
      topic.listeners -= 1;
      if (topic.listeners > 0) return;
      topics.delete(name);
      if (subscriber.status === 'ready') subscriber.unsubscribe(name).catch(() => undefined);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
