import type { Config } from '../../shared/kernel/config.js';
import type { Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import { failure } from '../../shared/graphql/mask.js';
import { networkOf } from '../../shared/kernel/network.js';
import { Tally } from '../http/limits/connections.js';
import { subscriptionsRefused, untilEnd, type SubscriptionBound } from './metrics.js';

const retryAfterSeconds = 60;

/** Limits running subscriptions in total, per network and per owner. Readers of a shared run hold no place once they have joined it. */
export interface SubscriptionLimiter {
  /** Begins a stream in a place that is held until the stream ends. Without a place the result is TOO_MANY_REQUESTS, or UNAVAILABLE where the process has none. */
  within(context: Context, begin: Begin): Promise<GraphResultStream | GraphResult>;
}

type Begin = () => Promise<GraphResultStream | GraphResult>;

export function createSubscriptionLimiter({
  max,
  maxPerNetwork,
  maxPerOwner,
}: Config['subscriptions']): SubscriptionLimiter {
  const networks = new Tally();
  const owners = new Tally();
  let total = 0;

  const exceeded = (network: string, owner: string): SubscriptionBound | undefined => {
    if (networks.of(network) >= maxPerNetwork) return 'network';
    if (owners.of(owner) >= maxPerOwner) return 'owner';
    return total >= max ? 'process' : undefined;
  };
  const take = (network: string, owner: string): (() => void) => {
    const places = [networks.add(network), owners.add(owner)];
    total += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      total -= 1;
      for (const leave of places) leave();
    };
  };

  return {
    within: async (context, begin) => {
      const [network, owner] = [networkOf(context.ip), context.principal.ownerId];
      const bound = exceeded(network, owner);
      if (bound !== undefined) {
        subscriptionsRefused.inc({ bound });
        return failure(refusals[bound]({ maxPerNetwork, maxPerOwner }), context);
      }
      const leave = take(network, owner);
      try {
        const begun = await begin();
        if ('next' in begun) return untilEnd(begun, leave);
        leave();
        return begun;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

const refusals: Readonly<
  Record<SubscriptionBound, (limits: Pick<Config['subscriptions'], 'maxPerNetwork' | 'maxPerOwner'>) => ApiError>
> = {
  network: ({ maxPerNetwork }) => tooMany(`a network runs at most ${maxPerNetwork} subscriptions`),
  owner: ({ maxPerOwner }) => tooMany(`an owner of credentials runs at most ${maxPerOwner} subscriptions`),
  process: () => {
    const message = 'This instance is at its limit of subscriptions. Try again later';
    return new ApiError('UNAVAILABLE', { message, retryAfterSeconds });
  },
};

function tooMany(limit: string): ApiError {
  const message = `Too Many Requests: ${limit} at once, end one or wait ${retryAfterSeconds} seconds`;
  return new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds });
}
