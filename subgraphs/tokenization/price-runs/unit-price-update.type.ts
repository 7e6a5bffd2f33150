import { Field, ObjectType } from 'type-graphql';
import { cursorDescription } from '../../../shared/subgraph/event-args.js';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';

// The resolver adds the series and reads it only when it is selected.
@ObjectType({ simpleResolvers: true, description: 'The newest unit price of a series, sent when it is calculated.' })
export class UnitPriceUpdate {
  @Field(() => String, { description: cursorDescription })
  cursor!: string;

  @Field(() => String, { description: 'Ticker of the series' })
  seriesTicker!: string;

  @Field(() => DateScalar, { description: 'Day of the price' })
  date!: string;

  @Field(() => DecimalScalar, { description: 'Unit price with accrued interest (dirty PU), 8 decimals' })
  unitPrice!: string;

  @Field(() => DecimalScalar, { description: 'Unit price without accrued interest (clean PU), 8 decimals' })
  nominalValue!: string;

  @Field(() => DecimalScalar, { description: 'Accrued interest of a unit, 8 decimals' })
  interestJ!: string;

  @Field(() => Boolean, {
    description: 'Whether the price of that day replaces an earlier one, because its inputs were corrected',
  })
  correction!: boolean;
}
