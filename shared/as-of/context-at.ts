import type { Context } from '../context.js';
import { refuse } from '../errors.js';
import { managerAt } from './manager-at.js';

/** Moments that one request may ask for: nothing that is read of one serves another. */
const mostMoments = 4;

/** The contexts of past moments that a request has made, by the moment. */
const made = new WeakMap<Context, Map<number, Context>>();

/**
 * The context in which everything is as it was at a moment: the database as it was recorded until then, and the clock, which stands.
 * The same one for the same moment of a request, so that its loaders batch. Nothing that is kept for others may be read or kept in it.
 * @throws {ApiError} BAD_REQUEST for a moment that has not come yet, and for the fifth one of a request
 */
export function contextAt(context: Context, moment: Date): Context {
  const ofRequest = made.get(context) ?? new Map<number, Context>();
  made.set(context, ofRequest);
  const known = ofRequest.get(moment.getTime());
  if (known !== undefined) return known;
  if (moment > context.clock.now()) {
    refuse('BAD_REQUEST', [{ path: 'asOf', message: 'must not be in the future: leave it out for what stands now' }]);
  }
  if (ofRequest.size >= mostMoments) {
    const message = `is one of more than ${String(mostMoments)} moments in this request: ask for the others in requests of their own`;
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
