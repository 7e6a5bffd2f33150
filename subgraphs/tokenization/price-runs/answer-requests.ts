import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import {
  claimRequest,
  finishRequest,
  releaseRequest,
  type RepriceOutcomeRow,
  type RepriceRequestRow,
} from './reprice-request.store.js';
import { repriceAll } from './reprice-all.js';

/** Processes the price requests of operators one after another, until none is left or the process stops. */
export async function answerRequests(context: Context, calendar: Calendar, stopping?: AbortSignal): Promise<void> {
  const isStopping = () => stopping?.aborted === true;
  while (!isStopping()) {
    const request = await claimRequest(context);
    if (request === undefined) return;
    let outcome: RepriceOutcomeRow | undefined;
    try {
      outcome = await outcomeOf(context, calendar, request, stopping);
    } finally {
      // A failed or stopped run may have left some of the series unpriced.
      if (outcome === undefined || isStopping()) await releaseRequest(context, request.id);
      else await finishRequest(context, request.id, outcome);
    }
  }
}

async function outcomeOf(
  context: Context,
  calendar: Calendar,
  { trancheId }: RepriceRequestRow,
  stopping: AbortSignal | undefined,
): Promise<RepriceOutcomeRow> {
  try {
    const { prices, missing } = await repriceAll(context, {
      calendar,
      ...(trancheId !== null && { only: trancheId }),
      ...(stopping && { stopping }),
    });
    const waiting = [...missing].slice(0, 100).map(([input, series]) => ({ input, series }));
    return { prices, missing: waiting, fault: null };
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    return { prices: null, missing: [], fault: error.message };
  }
}
