import { Directive, Query, Resolver, Field, Float, ObjectType } from 'type-graphql';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Venues } from './open-venues.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { BreakerState } from './breaker.js';
import type { SupervisedVenue } from './supervise-venue.js';

@Resolver()
export class VenueResolver {
  constructor(private readonly venues: Venues) {}

  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 20)')
  @Query(() => [VenueType], {
    description: 'The exchanges to which orders are routed, real and synthetic, with their state. Errors: 401, 403.',
  })
  tradingVenues(): Shape<VenueType>[] {
    return this.venues.all.map(toVenue);
  }
}

const VenueState = describeEnum<BreakerState>(
  'VenueState',
  'State of the circuit breaker of a venue.',
  {
    CLOSED: 'Calls are sent to the venue.',
    OPEN: 'The venue failed three times in a row: no calls are sent until the pause has ended.',
    HALF_OPEN: 'A test call is sent to the venue.',
  },
  {
    CLOSED: ['Em operação', 'In operation'],
    OPEN: ['Interrompida', 'Interrupted'],
    HALF_OPEN: ['Em teste', 'Being tested'],
  },
);

@ObjectType('Venue', {
  simpleResolvers: true,
  description: 'An exchange to which orders are routed, as this process sees it.',
})
class VenueType {
  @Field(() => String, { description: 'Name of the exchange.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether it is synthetic.' })
  synthetic!: boolean;

  @Field(() => VenueState, { description: 'State of its circuit breaker.' })
  state!: BreakerState;

  @Field(() => DateTimeScalar, { description: 'Time since which it is in that state.' })
  since!: Date;

  @Field(() => String, { nullable: true, description: 'Last error; null when there was none.' })
  lastError!: string | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Duration of a call in milliseconds, as a moving average; null before the first one.',
  })
  latencyMs!: number | null;

  @Field(() => [String], { description: 'Markets that it trades, sorted by symbol.' })
  symbols!: string[];
}

function toVenue(venue: SupervisedVenue): Shape<VenueType> {
  const { state, since, lastError = null, latencyMs = null } = venue.health();
  const symbols = venue.markets().map(({ symbol }) => symbol);
  return { name: venue.name, synthetic: venue.synthetic, state, since, lastError, latencyMs, symbols: symbols.sort() };
}
