import { Directive, Query, Resolver, ObjectType } from 'type-graphql';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Venues } from './open-venues.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { BreakerState } from './breaker.js';
import type { SupervisedVenue } from './supervise-venue.js';
import { fields, flag, nullable, of, text, texts, time } from '../../../shared/graphql/fields.js';

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
class VenueType extends fields({
  name: text('Name of the exchange.'),
  synthetic: flag('Whether it is synthetic.'),
  state: of<BreakerState>(() => VenueState, 'State of its circuit breaker.'),
  since: time('Time since which it is in that state.'),
  lastError: nullable.text('Last error; null when there was none.'),
  latencyMs: nullable.float('Duration of a call in milliseconds, as a moving average; null before the first one.'),
  symbols: texts('Markets that it trades, sorted by symbol.'),
}) {}

function toVenue(venue: SupervisedVenue): Shape<VenueType> {
  const { state, since, lastError = null, latencyMs = null } = venue.health();
  const symbols = venue.markets().map(({ symbol }) => symbol);
  return { name: venue.name, synthetic: venue.synthetic, state, since, lastError, latencyMs, symbols: symbols.sort() };
}
