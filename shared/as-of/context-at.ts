import type { Context } from '../context.js';
import { refuse } from '../errors.js';
import { managerAt } from './manager-at.js';

/** The most moments in one request: nothing read for one of them can be reused for another. */
const mostMoments = 4;

/**
 * The earliest moment that is read. An earlier one is read as this one: nothing was recorded before either, and the days and statuses that are computed for
 * rows from before versions were kept need holidays, which are known from 2000 on.
 */
const earliest = new Date('2001-01-01T00:00:00Z');

/** The contexts of past moments that a request has created, by moment. */
const made = new WeakMap<Context, Map<number, Context>>();

/**
 * Returns the context as of a past moment: the database as recorded until then, and a clock fixed at it; as of the earliest one where it is before
 * that. Calls with the same moment in one request return the same context, so that its loaders batch. It must not use caches shared with others.
 * @throws {ApiError} BAD_REQUEST for a moment in the future, and for the fifth moment of a request
 */
export function contextAt(context: Context, wanted: Date): Context {
  const moment = wanted < earliest ? earliest : wanted;
  const ofRequest = made.get(context) ?? new Map<number, Context>();
  made.set(context, ofRequest);
  const known = ofRequest.get(moment.getTime());
  if (known !== undefined) return known;
  if (moment > context.clock.now()) {
    refuse('BAD_REQUEST', [{ path: 'asOf', message: 'must not be in the future: omit it for the current state' }]);
  }
  if (ofRequest.size >= mostMoments) {
    const message = `is one of more than ${String(mostMoments)} different moments in this request: send the others in separate requests`;
    refuse('BAD_REQUEST', [{ path: 'asOf', message }]);
  }
  const at: Context = {
    ...context,
    asOf: moment,
    present: context,
    clock: { now: () => new Date(moment) },
    manager: managerAt(context.manager, moment),
    loaders: new Map(),
  };
  ofRequest.set(moment.getTime(), at);
  return at;
}
