import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fixedClock } from '../../kit/clock.js';
import { newId } from '../../../shared/kernel/ids.js';
import { askVenue, placeAtVenue } from '../../../subgraphs/trading/orders/call-venue.js';
import type { Outgoing } from '../../../subgraphs/trading/orders/execution.store.js';
import { reportedOn } from '../../../subgraphs/trading/orders/report.js';
import { superviseVenue } from '../../../subgraphs/trading/venues/supervise-venue.js';
import { VenueUnknown } from '../../../subgraphs/trading/venues/venue.js';
import { quietLog } from '../../kit/context.js';
import { openExchange } from '../venues/kit.js';

const begun = '2026-11-20T15:00:00Z';
const clock = fixedClock(begun);
const context = { clock, log: quietLog };

function sentWith(over: Partial<Outgoing> = {}): Outgoing {
  return {
    id: newId(),
    venue: 'aurora',
    symbol: 'BTC/BRL',
    side: 'BUY',
    amount: '0.01',
    limitPrice: '90000',
    timeInForce: 'GTC',
    postOnly: false,
    state: 'UNKNOWN',
    reason: null,
    reportedAmount: '0',
    filledAmount: '0',
    looks: 0,
    absences: 0,
    nextLookAt: null,
    resolvedAt: null,
    createdAt: new Date(begun),
    ...over,
  };
}

/** What a venue says to a look: that it does not have it, or nothing. */
type Said = 'absent' | 'fails';

async function lookedAt(before: Outgoing, said: Said): Promise<Outgoing> {
  const asking =
    said === 'absent' ? Promise.resolve('absent' as const) : Promise.reject(new VenueUnknown('aurora', 'no response'));
  return reportedOn(before, [await askVenue(context, before, asking)], []);
}

async function statesAfter(looks: readonly Said[], over: Partial<Outgoing> = {}): Promise<string[]> {
  let one = sentWith(over);
  const states: string[] = [];
  for (const said of looks) {
    one = await lookedAt(one, said);
    states.push(one.state);
  }
  return states;
}

test('an order ends as absent only after two looks in a row that say so, whatever was reported before', async () => {
  const looks = fc.array(fc.constantFrom<Said>('absent', 'fails'), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(looks, async (said) => {
      const states = await statesAfter(said);
      const end = states.indexOf('REJECTED');
      const isSure = (index: number) => index >= 2 && said[index] === 'absent' && said[index - 1] === 'absent';
      expect(end).toBe(said.findIndex((_, index) => isSure(index)));
    }),
  );
  expect(await statesAfter(['absent', 'absent', 'absent'], { state: 'OPEN' })).toEqual(['OPEN', 'OPEN', 'CANCELLED']);
});

test('the sending is no look: what was lost on its way is over when its venue has said three times that it is not there', async () => {
  const exchange = openExchange();
  exchange.failures.next('place', 'RESET_BEFORE');
  const lost = sentWith({ state: 'SENDING' });
  const sending = placeAtVenue(context, superviseVenue(exchange, context), lost, performance.now());
  const unheard = reportedOn(lost, [await sending], []);
  expect(await statesAfter(['absent', 'absent', 'absent'], unheard)).toEqual(['UNKNOWN', 'UNKNOWN', 'REJECTED']);
});

test('a fill that comes by itself between two looks shows that the venue has the order', async () => {
  let one = await lookedAt(await lookedAt(sentWith(), 'fails'), 'absent');
  one = reportedOn(one, [{ executionId: one.id, fills: [] }], []);
  expect((await lookedAt(one, 'absent')).state).toBe('UNKNOWN');
});

test('what was committed more than five seconds ago by either clock does not leave: a machine that was suspended sends nothing late', async () => {
  const exchange = openExchange();
  const venue = superviseVenue(exchange, context);
  const place = (over: Partial<Outgoing>, begunMs: number) => placeAtVenue(context, venue, sentWith(over), begunMs);
  const refused = { state: 'REJECTED', reason: 'The order was not sent in time' };
  // The steady clock stood still meanwhile.
  const createdAt = new Date(Date.parse(begun) - 5_001);
  expect(await place({ createdAt }, performance.now())).toMatchObject(refused);
  expect(await place({}, performance.now() - 5_001)).toMatchObject(refused);
  const sent = sentWith({ createdAt: new Date(Date.parse(begun) - 4_000) });
  expect(await placeAtVenue(context, venue, sent, performance.now())).toMatchObject({ state: 'OPEN' });
  expect(await exchange.lookUp(sent.id, 'BTC/BRL')).toMatchObject({ clientOrderId: sent.id });
});
