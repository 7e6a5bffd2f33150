import { Field, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';

// The resolver adds the series and reads it only when it is selected.
@ObjectType({ simpleResolvers: true, description: 'The newest unit price of a series, at the moment it was made.' })
export class UnitPriceUpdate {
  @Field(() => DateScalar, { description: 'The day that it is of' })
  date!: string;

  @Field(() => DecimalScalar, { description: 'With accrued interest (dirty PU), 8 decimals' })
  unitPrice!: string;

  @Field(() => DecimalScalar, { description: 'Without accrued interest (clean PU), 8 decimals' })
  nominalValue!: string;

  @Field(() => DecimalScalar, { description: 'Accrued interest of a unit, 8 decimals' })
  interestJ!: string;

  @Field(() => Boolean, {
    description: 'Whether the price of that day had been another one: what it was made of was corrected',
  })
  correction!: boolean;
}
