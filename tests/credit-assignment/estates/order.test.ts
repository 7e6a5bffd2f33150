import { afterAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { PublishedEvent } from '../../../shared/events/outbox/outbox.js';
import { claim } from '../../../shared/events/outbox/relay.store.js';
import { keepEstates } from '../../../subgraphs/credit-assignment/estates/keep-estates.js';
import { tokenizationImport } from '../../../subgraphs/tokenization/import/domain.js';
import { patrimonies } from '../../../subgraphs/tokenization/import/model/patrimonies.js';
import { exampleOf, importTextsInto } from '../../kit/import.js';
import { permit } from './kit.js';
import { contracts, createText, openCredit } from '../kit.js';

const kit = await openCredit();
afterAll(() => kit.close());
beforeEach(() => kit.database.asOwner('TRUNCATE shared.outbox'));

/** Imports an estate with each of some statuses in turn; returns its id. */
async function imported(ticker: string, ...statuses: readonly string[]): Promise<string> {
  for (const status of statuses) {
    const estate = exampleOf(patrimonies, { operationTicker: null, ticker, slug: ticker.toLowerCase(), status });
    const { errors } = await importTextsInto(kit.context, [tokenizationImport], { 'a.json': estate });
    expect(errors).toEqual([]);
  }
  const { id } = await kit.context.manager.one<{ id: string }>(
    'SELECT id FROM tokenization.patrimonies WHERE ticker = $1',
    [ticker],
  );
  await kit.context.manager.execute(
    'INSERT INTO credit_assignment.eligibility_criteria (patrimony_id, updated_at) VALUES ($1, now())',
    [id],
  );
  return id;
}

/** The announcements of estates that wait, in their order, as a relay receives them. */
const waiting = () => inTransaction(kit.context, (tx) => claim(tx, { limit: 100 }));
const deliver = (events: readonly PublishedEvent[]) => inTransaction(kit.context, (tx) => keepEstates(tx, events));
async function assign(patrimonyId: string) {
  const client = await kit.client();
  await permit(kit.context.manager, client.ownerId, patrimonyId);
  return kit.run(createText, { patrimonyId, contracts: contracts(1) }, client);
}

const closed = { statusCode: 422, details: [{ path: 'patrimonyId', message: expect.stringMatching(/closed/i) }] };

test('the announcements of two relays at once leave the last one, whichever commits first', async () => {
  for (const isReversed of [false, true]) {
    const id = await imported(isReversed ? 'PAT-TWO' : 'PAT-ONE', 'ACTIVE', 'CLOSED');
    const events = (await waiting()).filter(({ key }) => key === id);
    const turns = isReversed ? events.toReversed() : events;
    await Promise.all(turns.map((event) => deliver([event])));
    expect((await assign(id)).error).toMatchObject(closed);
  }
});

function eventOf(sequence: number, payload: { readonly id: string }): PublishedEvent {
  const createdAt = kit.clock.now().toISOString();
  return { id: newId(), sequence, topic: 'patrimony.registered', key: payload.id, payload, createdAt };
}

test('whatever the order of the announcements of several estates, their batches and repetitions, each estate is as announced last', async () => {
  const change = fc.record({
    estate: fc.nat(2),
    name: fc.constantFrom('Um', 'Dois', 'Três'),
    status: fc.constantFrom('DRAFT', 'ACTIVE', 'CLOSED'),
  });
  const run = fc.array(change, { minLength: 1, maxLength: 8 }).chain((changes) =>
    fc.record({
      changes: fc.constant(changes),
      order: fc.array(fc.array(fc.nat(changes.length - 1), { maxLength: 4 }), { maxLength: 6 }),
      rest: fc.shuffledSubarray([...changes.keys()], { minLength: changes.length }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(run, async ({ changes, order, rest }) => {
      const ids = [newId(), newId(), newId()] as const;
      const events = changes.map(({ estate, name, status }, index) => {
        const id = ids[estate] ?? ids[0];
        const named = { ticker: `PAT-${id}`, name, status };
        return eventOf(index + 1, { id, ...named });
      });
      for (const places of [...order, ...rest.map((place) => [place])])
        await deliver(places.flatMap((place) => events[place] ?? []));
      const stored = await kit.context.manager.rows<{ id: string }>(
        `SELECT id, ticker, name, status FROM credit_assignment.estates WHERE id = ANY ($1::uuid[]) ORDER BY id`,
        [ids],
      );
      const last = new Map(events.map(({ key, payload }) => [key, payload]));
      expect(stored).toEqual(ids.toSorted().flatMap((id) => last.get(id) ?? []));
    }),
    { numRuns: 60 },
  );
});
