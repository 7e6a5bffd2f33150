import type { Redis } from 'ioredis';
import { createLocalBus, type Bus, type BusMessage } from './bus.js';
import type { Logger } from './log.js';
import { openRedis, withinPatience } from './redis.js';

/** How long a publisher or a new listener waits for Redis. */
const patienceMs = 250;
/** How long publishers leave a Redis alone that made one of them wait in vain. */
const restMs = 1_000;
/** A listener's connection may be idle for hours: it is asked this often whether it still is one. */
const heartbeatMs = 10_000;
const publisherSilenceMs = 1_000;
/** More patient than that of publishers: what a slow Redis sends after a pause is lost with the connection. */
const subscriberSilenceMs = 5_000;
/** Topics of one SUBSCRIBE, when a connection has come back. */
const topicsAtOnce = 1_000;

/**
 * The bus across instances. Redis carries hints and live news alone, so nothing waits for it: while it is away, messages reach
 * the listeners of this instance only, and nothing is kept for later. Listening goes on by itself once it is back.
 */
export function createRedisBus(url: string, log: Logger): Bus {
  const publisher = openRedis(url, log, { name: 'publisher', silenceMs: publisherSilenceMs });
  const subscriber = openRedis(url, log, { name: 'subscriber', silenceMs: subscriberSilenceMs });
  const here = createLocalBus();
  const { attend, leave } = attendance(subscriber);
  subscriber.on('message', (topic: string, text: string) => {
    const payload = parsed(text);
    if (payload === undefined) log.warn({ topic }, 'A message on the bus is not JSON, and is left out');
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
      // The connection says in the log that it is lost. Redis may have told some of it: news may come twice.
      restUntil = performance.now() + restMs;
      await here.publishAll(messages);
    }
  };

  return {
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
      // No QUIT: the program would wait for the reply of a Redis that is silent.
      publisher.disconnect();
      subscriber.disconnect();
      return here.close();
    },
  };
}

/** Publishes all messages in one pipeline. @throws when Redis did not take every one of them. */
async function pipelined(publisher: Redis, messages: readonly BusMessage[]): Promise<void> {
  const pipeline = publisher.pipeline();
  for (const { topics, payload } of messages) {
    const text = JSON.stringify(payload);
    for (const topic of topics) pipeline.publish(topic, text);
  }
  const failed = (await pipeline.exec())?.find(([error]) => error !== null);
  if (failed?.[0] != null) throw failed[0];
}

/** Keeps the connection subscribed to exactly the topics that someone listens to, also when it was lost in between. */
function attendance(subscriber: Redis) {
  const topics = new Map<string, { listeners: number; begun: Promise<void> }>();
  const begin = (names: readonly string[]): Promise<void> => {
    if (subscriber.status !== 'ready') return Promise.resolve();
    const begun = withinPatience(subscriber.subscribe(...names), patienceMs);
    // Where it fails the connection is lost, and all topics are asked for when it is back.
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
    /** Resolves once messages of the topic arrive, or it is clear that Redis does not reply now. */
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
