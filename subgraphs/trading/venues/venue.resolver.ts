import { Directive, Query, Resolver, ObjectType, Arg, Ctx, Mutation } from 'type-graphql';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Venues } from './open-venues.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { SupervisedVenue, BreakerState } from './supervise-venue.js';
import { fields, flag, nullable, of, text, texts, time } from '../../../shared/graphql/fields.js';
import type { Context } from '../../../shared/kernel/context.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { addVenue, type AddVenueParts, retireVenue } from './configured/venues.acts.js';
import { listConfiguredVenues, type ConfiguredVenueRow } from './configured/venue.store.js';
import { ConfiguredVenue, TradingVenueInput } from './configured/venue.type.js';

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

@Resolver()
export class ConfiguredVenueResolver {
  constructor(private readonly parts: AddVenueParts) {}

  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 500)')
  @Query(() => [ConfiguredVenue], {
    description:
      'The exchanges that operators added, including retired ones, sorted by name; at most 500. Errors: 401, 403.',
  })
  async configuredVenues(@Ctx() context: Context): Promise<Shape<ConfiguredVenue>[]> {
    return (await listConfiguredVenues(context, 500)).map(toConfiguredVenue);
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => ConfiguredVenue, {
    description:
      'Adds an exchange to which real orders are routed. The program connects to it at its next start. Errors: 400; 401 and 403 without the role `administer`; 409 for a name that was already used; 422 for an exchange that ccxt does not know, when ccxt is not installed, and for a test system of an exchange in an installation with real money.',
  })
  async addTradingVenue(
    @Ctx() context: Context,
    @Arg('venue', () => TradingVenueInput, { description: 'The exchange.' }) venue: TradingVenueInput,
  ): Promise<Shape<ConfiguredVenue>> {
    return toConfiguredVenue(await addVenue(context, this.parts, venue));
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => ConfiguredVenue, {
    description:
      'Stops sending orders to an exchange permanently, within 10 seconds; earlier orders are still looked up and cancelled there. Errors: 401 and 403 without the role `administer`; 404 when no exchange with this name is in use.',
  })
  async retireTradingVenue(
    @Ctx() context: Context,
    @AtMost({ maxLength: 30 })
    @Arg('name', () => String, { description: 'Name of the exchange.' })
    name: string,
  ): Promise<Shape<ConfiguredVenue>> {
    return toConfiguredVenue(await retireVenue(context, name));
  }
}

function toConfiguredVenue({ settings, ...row }: ConfiguredVenueRow): Shape<ConfiguredVenue> {
  return { ...row, settings: JSON.stringify(settings) };
}
