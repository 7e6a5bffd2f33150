import { Arg, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../shared/kernel/context.js';
import { AtMost } from '../../../../shared/graphql/constraint.js';
import { Access, StepUp } from '../../../../shared/graphql/access.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { addVenue, type AddVenueParts, retireVenue } from './venues.acts.js';
import { listConfiguredVenues } from './venue.store.js';
import { ConfiguredVenue, toConfiguredVenue, TradingVenueInput } from './venue.type.js';

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
