import { Field, Float, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { BreakerState } from './breaker.js';
import type { SupervisedVenue } from './supervise-venue.js';

const VenueState = describeEnum<BreakerState>('VenueState', 'Whether orders go to a venue.', {
  CLOSED: 'Orders go out.',
  OPEN: 'The venue failed three times in a row: nothing goes out until the pause is over.',
  HALF_OPEN: 'The venue is being probed.',
});

@ObjectType('Venue', {
  simpleResolvers: true,
  description: 'An exchange that orders are routed to, as this process sees it.',
})
export class VenueType {
  @Field(() => String, { description: 'How the house calls it.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether it belongs to the synthetic world.' })
  synthetic!: boolean;

  @Field(() => VenueState, { description: 'The state of its circuit breaker.' })
  state!: BreakerState;

  @Field(() => DateTimeScalar, { description: 'Since when it is in that state.' })
  since!: Date;

  @Field(() => String, { nullable: true, description: 'What went wrong last; null where nothing has.' })
  lastError!: string | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Milliseconds that a call takes, as a moving average; null before the first.',
  })
  latencyMs!: number | null;

  @Field(() => [String], { description: 'The markets that it trades, by symbol.' })
  symbols!: string[];
}

export function toVenue(venue: SupervisedVenue): Shape<VenueType> {
  const { state, since, lastError = null, latencyMs = null } = venue.health();
  const symbols = venue.markets().map(({ symbol }) => symbol);
  return { name: venue.name, synthetic: venue.synthetic, state, since, lastError, latencyMs, symbols: symbols.sort() };
}
