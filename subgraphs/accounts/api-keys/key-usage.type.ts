import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar } from '../../../shared/subgraph/scalars.js';

@ObjectType({ simpleResolvers: true, description: 'State of the limit of a key in the present window of a minute.' })
export class KeyWindow {
  @Field(() => Int, {
    description:
      'Requests used in the window, those of other sizes by their points; at most `limit`. Requests of the graph count in points of their own, and are not in it.',
  })
  used!: number;

  @Field(() => Int, { description: 'Requests that the window permits.' })
  limit!: number;

  @Field(() => Date, { description: 'End of the window; a minute from now where none has begun.' })
  resetsAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'Use of a key on one day, of all interfaces.' })
export class KeyDay {
  @Field(() => DateScalar, { description: 'Civil day in São Paulo.' })
  day!: string;

  @Field(() => Float, { description: 'Requests that the limit admitted, up to some 5 seconds late.' })
  requests!: number;

  @Field(() => Float, {
    description:
      'Refusals by the limit (429), up to some 5 seconds late. A request whose cost is known only after it was admitted counts in both.',
  })
  refused!: number;
}

@ObjectType({ simpleResolvers: true, description: 'Use of an API key or a developer key against its limit.' })
export class KeyUsage {
  @Field(() => ID, { description: 'Id of the key.' })
  keyId!: string;

  @Field(() => KeyWindow, {
    nullable: true,
    description: 'The present window; null where another process than the one that answers counts requests.',
  })
  window!: KeyWindow | null;

  @Directive('@listSize(assumedSize: 30)')
  @Field(() => [KeyDay], {
    description:
      'Each of the last 30 days, the oldest first, also those without requests. What an instance counted in its last 5 seconds is lost when it is killed.',
  })
  days!: readonly KeyDay[];
}
