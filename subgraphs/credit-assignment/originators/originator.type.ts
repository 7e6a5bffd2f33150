import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import type { OriginatorRow } from './originator.store.js';

@ObjectType({
  description: 'A client of the credit-assignment interface. It signs its requests.',
  simpleResolvers: true,
})
export class Originator {
  @Field(() => ID, { description: 'What it sends as `X-Client-Id`.' })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => Int, { nullable: true, description: 'Requests a minute; null is what the configuration says.' })
  rateLimit!: number | null;

  @Field(() => String, { description: 'ACTIVE, or SUSPENDED: then none of its requests is let in.' })
  status!: string;

  @Field(() => DateTimeScalar, { description: 'When it was onboarded.' })
  createdAt!: string;
}

export function toOriginator({ id, name, rateLimit, status, createdAt }: OriginatorRow): Originator {
  return { id, name, rateLimit, status, createdAt: createdAt.toISOString() };
}
