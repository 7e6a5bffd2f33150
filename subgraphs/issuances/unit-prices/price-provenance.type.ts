import { Directive, Field, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';

@ObjectType({ simpleResolvers: true, description: 'A value that a unit price had before it was corrected.' })
export class EarlierUnitPrice {
  @Field(() => DecimalScalar, { description: 'The price, with 8 decimals' })
  value!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was recorded; null if that was before versions were kept',
  })
  recordedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    description: 'When it was corrected or removed: `asOf` an earlier moment returns it',
  })
  correctedAt!: Date;

  @Field(() => String, { nullable: true, description: 'The reason for the correction; null when none was given' })
  reason!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'How a unit price came to be what it is. The issuer computes the prices of its series and they are imported, so that there are no factors; those of a tokenized series are in `TrancheUnitPrice`.',
})
export class UnitPriceProvenance {
  @Field(() => Int, { description: 'Version, from 1, which every correction increases' })
  version!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When this version was imported; null if that was before versions were kept',
  })
  recordedAt!: Date | null;

  @Directive('@listSize(assumedSize: 2)')
  @Field(() => [EarlierUnitPrice], {
    description: 'The values that it had before, newest first: at most 20; empty for a price that was never corrected',
  })
  earlierValues!: readonly EarlierUnitPrice[];
}
