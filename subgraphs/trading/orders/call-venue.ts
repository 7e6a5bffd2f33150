import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { SupervisedVenue } from '../venues/supervise-venue.js';
import { VenueUnknown, type RejectReason, type VenueOrder } from '../venues/venue.js';
import type { Outgoing } from './execution.store.js';
import { orderReasons } from './order.js';
import type { Report } from './report.js';

/** Delays before each look-up of an execution with an unknown outcome; the last one is repeated. */
const lookAfterMs = [250, 1_000, 2_000, 5_000, 15_000, 60_000];
/** The number of absences in a row, and the least look-ups, before a venue is believed not to have an order: it may still be on its way, or the venue may be wrong. */
const absencesNeeded = 2;
const looksNeeded = 3;
/** Maximum time from the commit to the sending; another process takes over the executions of a silent one only after a longer time. */
const sendWithinMs = 5_000;
export const looksBeforeQuarantine = 12;

/** Rejections that say something about the venue or the house's account there, and nothing about the order. */
const ofVenue: ReadonlySet<RejectReason> = new Set([
  'INSUFFICIENT_FUNDS',
  'MARKET_CLOSED',
  'RATE_LIMITED',
  'VENUE_DOWN',
]);

type Timed = Pick<Context, 'clock' | 'log'>;

/** Sends once, at most five seconds after the commit, by both clocks: the monotonic one stops while suspended, the other may be set back. @param begunMs of the commit, by `performance.now()` */
export async function placeAtVenue(
  context: Timed,
  venue: SupervisedVenue | undefined,
  execution: Outgoing,
  begunMs: number,
): Promise<Report> {
  const { id: executionId, symbol, side, amount, limitPrice, timeInForce, postOnly } = execution;
  if (venue === undefined)
    return { executionId, state: 'REJECTED', reason: orderReasons.NOT_CONNECTED, elsewhere: true };
  const ageMs = context.clock.now().getTime() - execution.createdAt.getTime();
  if (Math.max(performance.now() - begunMs, ageMs) > sendWithinMs)
    return { executionId, state: 'REJECTED', reason: orderReasons.NOT_SENT };
  try {
    const result = await venue.place({
      clientOrderId: executionId,
      symbol,
      side,
      type: 'LIMIT',
      amount: new Decimal(amount),
      price: new Decimal(limitPrice),
      timeInForce,
      postOnly,
    });
    if (result.status === 'REJECTED') {
      const { reason, message } = result;
      context.log.info(
        { venue: execution.venue, execution: executionId, reason, message },
        'A venue rejected an order',
      );
      return { executionId, state: 'REJECTED', reason: orderReasons[reason], elsewhere: ofVenue.has(reason) };
    }
    return reportOf(context, execution, result.order);
  } catch (error) {
    // Sending is not a look-up: the venue was not asked whether it has the order.
    return { ...unknown(context, execution, error), looked: false };
  }
}

export async function askVenue(
  context: Timed,
  execution: Outgoing,
  asking: Promise<VenueOrder | 'absent'> | undefined,
): Promise<Report> {
  try {
    const found = await asking;
    if (found === undefined) return unknown(context, execution, new Error(orderReasons.NOT_CONNECTED));
    if (found !== 'absent') return { ...reportOf(context, execution, found), looked: true };
    // A venue that reported fills had the order: the fills must be found, however long it takes.
    const isMissing = new Decimal(execution.filledAmount).lessThan(execution.reportedAmount);
    const isSure = execution.absences + 1 >= absencesNeeded && execution.looks + 1 >= looksNeeded;
    if (isMissing || !isSure)
      return {
        ...unknown(context, execution, new VenueUnknown(execution.venue, 'absent')),
        reason: orderReasons.ABSENT,
        absent: true,
      };
    const wasThere = execution.state === 'OPEN' || !new Decimal(execution.filledAmount).isZero();
    return {
      executionId: execution.id,
      state: wasThere ? 'CANCELLED' : 'REJECTED',
      reason: wasThere ? orderReasons.GONE : orderReasons.NOT_ARRIVED,
      looked: true,
      absent: true,
    };
  } catch (error) {
    return unknown(context, execution, error);
  }
}

function reportOf({ clock }: Timed, { id: executionId, looks }: Outgoing, order: VenueOrder): Report {
  const { state, filled, fills } = order;
  const reported = fills.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
  // Missing fills are requested if they do not arrive by themselves, also while the order rests: they may be the last for long.
  const isMissing = reported.lessThan(filled);
  return {
    executionId,
    fills,
    state,
    reported: filled,
    ...(isMissing ? { nextLookAt: nextLook(clock.now(), looks) } : {}),
  };
}

/** Reports an unknown outcome: the execution is looked up later. An open one stays open. */
function unknown({ clock, log }: Timed, execution: Outgoing, error: unknown): Report {
  const { id: executionId, venue, looks, state } = execution;
  if (!(error instanceof VenueUnknown)) log.warn({ err: error, venue, execution: executionId }, 'A venue failed');
  return {
    executionId,
    state: state === 'OPEN' ? 'OPEN' : 'UNKNOWN',
    reason: error instanceof Error ? error.message.slice(0, 200) : 'It failed without an error message',
    // A look-up of an execution that was already unknown has waited before.
    nextLookAt: nextLook(clock.now(), state === 'UNKNOWN' ? looks + 1 : looks),
    looked: true,
  };
}

export function nextLook(now: Date, looks: number): Date {
  return new Date(now.getTime() + (lookAfterMs[Math.min(looks, lookAfterMs.length - 1)] ?? 0));
}
