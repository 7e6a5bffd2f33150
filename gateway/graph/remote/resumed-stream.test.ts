import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import {
  Args,
  ArgsType,
  Field,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
  Subscription,
  type SubscribeResolverData,
} from 'type-graphql';
import { testContext, testKeyRing } from '../../../tests/kit/context.js';
import { random } from '../../../tests/kit/random.js';
import { createTestEdge, open } from '../../../tests/rest/edge-kit.js';
import { asyncIterator, finished } from '../../../shared/kernel/async-iterator.js';
import { systemClock } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { cursorOf, isBehind, placed } from '../../../shared/kernel/stream-place.js';
import { Access } from '../../../shared/graphql/access.js';
import { buildSubgraph } from '../../../shared/graphql/build.js';
import type { GraphResultStream } from '../../../shared/graphql/executor.js';
import { ofSince } from '../../../shared/graphql/event-args.js';
import { args } from '../../../shared/graphql/fields.js';
import { createCallTokens } from './call-token.js';
import { subgraphPlugin } from './plugin.js';
import { remoteDataSource, type RemoteDataSource } from './remote-data-source.js';
import { resumedStream, type Upstream } from './resumed-stream.js';
import type { StreamFrame } from './wire-format.js';

@ObjectType({ description: 'An event', simpleResolvers: true })
class Numbered {
  @Field(() => Int, { description: 'Its number' })
  number!: number;

  @Field(() => String, { description: 'Its cursor', nullable: true })
  cursor!: string | null;
}

@ArgsType()
class NumbersArgs extends args(ofSince) {
  @Field(() => String, { nullable: true, description: 'The number of the last event; not together with `since`' })
  lastEventId?: string | null;
}

/** Numbers as they are published, each of them an event after which a reader goes on. */
class Numbers {
  #last = 0;
  #expired = 0;
  readonly #waiting = new Set<() => void>();
  begun = 0;

  publish(count: number): void {
    this.#last += count;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  expireAll(): void {
    this.#expired = this.#last;
  }

  read(since: string | null | undefined, hasCursors: boolean): AsyncIterableIterator<Numbered> {
    this.begun += 1;
    let at = since == null ? this.#last : Number(since);
    if (at < this.#expired) throw new ApiError('CURSOR_EXPIRED');
    let hasEnded = false;
    const next = async () => {
      while (!hasEnded) {
        if (at < this.#last) {
          at += 1;
          return { done: false, value: { number: at, cursor: hasCursors ? String(at) : null } } as const;
        }
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
      }
      return finished;
    };
    const stream = asyncIterator<Numbered>(next, () => {
      hasEnded = true;
      this.publish(0);
    });
    return hasCursors ? placed(stream, { cursor: () => (at === this.#last ? String(at) : undefined) }) : stream;
  }
}

type Subscribe = SubscribeResolverData<unknown, NumbersArgs, Context>;

function subgraphOf(numbers: Numbers) {
  @Resolver()
  class NumberResolver {
    @Access('anyone')
    @Query(() => Int, { description: 'One' })
    one(): number {
      return 1;
    }

    @Access('anyone')
    @Subscription(() => Numbered, {
      description: 'Numbers',
      subscribe: ({ args: { since, lastEventId } }: Subscribe) => {
        if (since != null && lastEventId != null) throw new ApiError('BAD_REQUEST');
        return numbers.read(since ?? lastEventId, true);
      },
    })
    numbers(@Root() event: Numbered, @Args(() => NumbersArgs) _args: NumbersArgs): Numbered {
      return event;
    }

    @Access('anyone')
    @Subscription(() => Numbered, { description: 'Once', subscribe: () => numbers.read(null, false) })
    fleeting(@Root() event: Numbered): Numbered {
      return event;
    }
  }
  return buildSubgraph({ name: 'numbers', resolvers: [new NumberResolver()] });
}

/** A network between gateway and subgraph that can be cut. */
async function openLine(url: string) {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    }
    if (!isOpen) near.destroy();
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    cut,
    close: () => {
      isOpen = false;
      cut();
    },
    mend: () => {
      isOpen = true;
    },
    end: () => {
      cut();
      server.close();
    },
  };
}

let numbers: Numbers;
let app: FastifyInstance;
let line: Awaited<ReturnType<typeof openLine>>;
let remote: RemoteDataSource;
let impatient: RemoteDataSource;
beforeEach(async () => {
  numbers = new Numbers();
  const subgraph = subgraphOf(numbers);
  ({ app } = createTestEdge());
  subgraphPlugin(app, { subgraph, keyRing: testKeyRing });
  line = await openLine(await open(app));
  const tokens = createCallTokens(testKeyRing, systemClock);
  const options = { name: 'numbers', url: line.url, schema: subgraph.schema, tokens };
  remote = remoteDataSource(options);
  impatient = remoteDataSource({ ...options, patienceMs: 500 });
});
afterEach(async () => {
  line.end();
  await remote.close();
  await impatient.close();
  await app.close();
});

async function subscribe(
  text = 'subscription { numbers { number } }',
  source: RemoteDataSource = remote,
  more: Partial<Context> = {},
): Promise<GraphResultStream> {
  const context = testContext({ manager: undefined as never, ...more });
  const stream = await source.subscribe({ document: parse(text) }, context);
  if (!('next' in stream)) throw new Error(JSON.stringify(stream));
  return stream;
}
async function take(stream: GraphResultStream, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const { value } = await stream.next();
    if (value?.data == null) throw new Error(JSON.stringify(value));
    taken.push((Object.values(value.data)[0] as Numbered).number);
  }
  return taken;
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a stream of a subgraph in another process', () => {
  test('goes on after the connection is cut at any moment, each event once, although the document selects no cursor', async () => {
    const stream = await subscribe();
    const heard = take(stream, 400);
    for (let turn = 0; turn < 40; turn += 1) {
      numbers.publish(10);
      await sleep(random() * 30);
      if (turn % 5 === 0) line.cut();
    }
    expect(await heard).toEqual(upTo(400));
    expect(numbers.begun).toBeGreaterThan(1);
    await stream.return?.();
  });

  test('goes on after the last event, wherever its arguments let it begin', async () => {
    numbers.publish(10);
    const streams = await Promise.all(
      ['since: "5"', 'lastEventId: "5"'].map((from) => subscribe(`subscription { numbers(${from}) { number } }`)),
    );
    for (const stream of streams) expect(await take(stream, 5)).toEqual([6, 7, 8, 9, 10]);
    line.cut();
    numbers.publish(2);
    for (const stream of streams) {
      expect(await take(stream, 2)).toEqual([11, 12]);
      await stream.return?.();
    }
    expect(numbers.begun).toBe(4);
  });

  test('misses nothing that happens while the subgraph is away, even if nothing had come before', async () => {
    const stream = await subscribe();
    const heard = take(stream, 5);
    line.close();
    numbers.publish(5);
    await sleep(300);
    line.mend();
    expect(await heard).toEqual(upTo(5));
    await stream.return?.();
  });

  test('ends with an error that says so when the subgraph does not come back', async () => {
    const stream = await subscribe(undefined, impatient);
    const next = stream.next();
    line.close();
    const { value } = await next;
    expect(value).toMatchObject({
      errors: [{ message: expect.stringContaining('subscribe again'), extensions: { code: 'UNAVAILABLE' } }],
    });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test('ends with the error of the subgraph when too much was missed', async () => {
    const stream = await subscribe();
    const next = stream.next();
    await sleep(100);
    line.close();
    await sleep(50);
    numbers.publish(1);
    numbers.expireAll();
    line.mend();
    expect((await next).value).toMatchObject({ errors: [{ extensions: { code: 'CURSOR_EXPIRED', statusCode: 410 } }] });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test('is not begun again where that would miss events', async () => {
    const stream = await subscribe('subscription { fleeting { number } }');
    const next = stream.next();
    line.cut();
    expect((await next).value).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    expect(numbers.begun).toBe(1);
  });

  test('that its reader leaves while the subgraph is away is not begun again', async () => {
    const stream = await subscribe();
    const next = stream.next();
    await sleep(100);
    line.close();
    await sleep(150);
    await stream.return?.();
    line.mend();
    expect(await next).toEqual({ done: true, value: undefined });
    await sleep(500);
    expect(numbers.begun).toBe(1);
  });

  test('is behind from the loss on until the subgraph says that nothing is under way', async () => {
    const event = (id: string): StreamFrame => ({ id, result: { data: { number: Number(id) } } });
    // oxlint-disable-next-line typescript/require-await
    async function* framesOf(...frames: StreamFrame[]): AsyncGenerator<StreamFrame, undefined> {
      yield* frames;
      throw new Error('The connection was lost');
    }
    const upstream = (...frames: StreamFrame[]): Upstream => {
      return { frames: framesOf(...frames), beginsAfter: '0', subject: 'all', restarts: false };
    };
    const context = testContext({ manager: undefined as never });
    const again = () => Promise.resolve(upstream(event('2'), { id: '3', result: undefined }, event('4')));
    const stream = resumedStream(upstream(event('1')), {
      open: again,
      firstId: '',
      abort: new AbortController(),
      context,
    });
    expect([isBehind(stream), cursorOf(stream)]).toEqual([false, '0']);
    const told: [unknown, boolean][] = [];
    for (let turn = 0; turn < 3; turn += 1)
      told.push([(await stream.next()).value?.data?.['number'], isBehind(stream)]);
    expect(told).toEqual([
      [1, false],
      [2, true],
      [4, false],
    ]);
    await stream.return?.();
  });
});
