import { Field, Int, ObjectType } from 'type-graphql';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { RepriceOutcome } from './reprice-all.js';

@ObjectType({ simpleResolvers: true, description: 'A number that prices wait for.' })
export class MissingIndexValue {
  @Field(() => String, { description: 'Which: `DI 2026-03-05`, `IPCA 2026-03`' })
  input!: string;

  @Field(() => Int, { description: 'How many series wait for it' })
  series!: number;
}

@ObjectType({ simpleResolvers: true, description: 'What a run of the unit prices did.' })
export class RepriceReport {
  @Field(() => Int, { description: 'Series that had days to price' })
  series!: number;

  @Field(() => Int, { description: 'Prices that were written: new days, and new versions of old ones' })
  prices!: number;

  @Field(() => [MissingIndexValue], { description: 'What was not there; at most 100 of them' })
  missing!: readonly MissingIndexValue[];
}

export function toRepriceReport({ series, prices, missing }: RepriceOutcome): Shape<RepriceReport> {
  const waiting = [...missing].map(([input, count]) => ({ input, series: count }));
  return { series, prices, missing: waiting.slice(0, 100) };
}
