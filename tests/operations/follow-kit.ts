import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../shared/kernel/context.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { announce } from '../../shared/events/outbox/outbox.js';
import { until } from '../kit/until.js';
import { openGraphqlSocket } from '../kit/graphql-socket.js';

/** A public operation of the demo. */
export interface FollowedOperation {
  readonly id: string;
  readonly ticker: string;
}

/** A reader of the events of an operation, who comes back after the last event that it has whenever its stream ends. */
export type Follower = Awaited<ReturnType<typeof follow>>;

export interface FollowOptions {
  /** Returns the base address of the instance that the reader connects to next. */
  readonly url: () => string;
  readonly key: string;
  readonly ticker: string;
  /** Further fields of each event. */
  readonly also?: string;
  /** Where the reader begins: before everything that is announced from now on, or with what is announced once its stream has begun. */
  readonly from?: 'now' | 'begin';
}

interface Update {
  readonly operationUpdated: { readonly reference: string; readonly cursor: string };
}

export async function ask(url: string, key: string, query: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

export async function follow({ url, key, ticker, also = '', from = 'now' }: FollowOptions) {
  const heard: string[] = [];
  const ends: string[] = [];
  let since = from === 'begin' ? null : String((await ask(url(), key, '{ eventCursor }'))['eventCursor']);
  let isClosed = false;
  let close = () => undefined as unknown;
  const query = `subscription ($ticker: String!, $since: String) {
    operationUpdated(ticker: $ticker, since: $since) { reference cursor ${also} } }`;
  const readUntilItEnds = async () => {
    const client = openGraphqlSocket(url(), { 'X-API-Key': key });
    close = () => client.dispose();
    try {
      for await (const { data, errors } of client.iterate<Update>({ query, variables: { ticker, since } })) {
        if (errors !== undefined) throw new Error(JSON.stringify(errors));
        if (data == null) continue;
        heard.push(data.operationUpdated.reference);
        since = data.operationUpdated.cursor;
      }
      ends.push('complete');
    } catch (error) {
      ends.push(error instanceof Error ? error.message : 'closed');
    } finally {
      await client.dispose();
    }
  };
  const goOn = async () => {
    while (!isClosed) {
      await readUntilItEnds();
      await sleep(100);
    }
  };
  void goOn();
  return {
    /** The references of the events that it received, in their order. */
    heard,
    /** How often its stream ended, and with which errors. */
    ends,
    close: () => {
      isClosed = true;
      close();
    },
  };
}

export async function measure(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  );
  return values.reduce((sum, value) => sum + value, 0);
}

/** Announces events of an operation, one after the other, until it is stopped. Returns the references of those that were committed. */
export function announcing(context: Context, { id, ticker }: FollowedOperation): { stop(): Promise<string[]> } {
  const committed: string[] = [];
  const stopping = new AbortController();
  const work = (async () => {
    for (let number = 1; !stopping.signal.aborted; number += 1) {
      const reference = `event ${number}`;
      const payload = { operationId: id, ticker, kind: 'PU', reference, occurredAt: new Date().toISOString() };
      await inTransaction(context, (tx) => announce(tx, { topic: 'operation.updated', key: id, payload }));
      committed.push(reference);
      await sleep(50);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await work;
      return committed;
    },
  };
}

/** Resolves when a reader has heard an event. */
export async function untilHeard({ heard, ends }: Follower, reference: string | undefined): Promise<void> {
  await until(`the event ${reference}`, () => {
    if (reference !== undefined && heard.includes(reference)) return true;
    throw new Error(`${heard.length} others until ${heard.at(-1)}: ${ends.join('; ')}`);
  });
}
