import { Directive, Query, Resolver } from 'type-graphql';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Venues } from './open-venues.js';
import { toVenue, VenueType } from './venue.type.js';

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
