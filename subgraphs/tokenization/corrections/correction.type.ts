import { ArgsType, Field, ObjectType } from 'type-graphql';
import { CorrectedFields, CorrectionFields, CorrectionPageArgs } from '../../../shared/corrections/correction.type.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';

@ArgsType()
export class TokenizationCorrectionArgs extends CorrectionPageArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Ticker or slug of the estate, in any case; the corrections of all estates when omitted',
  })
  patrimonyTicker?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Ticker of the series, in any case; only corrections of this series',
  })
  trancheTicker?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A field that changed.' })
export class TokenizationCorrectedField extends CorrectedFields {}

@ObjectType({
  simpleResolvers: true,
  description:
    'A change or removal of published data about an estate, its series or its assets, or of published market data.',
})
export class TokenizationCorrection extends CorrectionFields {
  @Field(() => String, { nullable: true, description: 'Ticker of the estate; null for market data' })
  patrimonyTicker!: string | null;

  @Field(() => [TokenizationCorrectedField], { description: 'The changed fields, by name' })
  fields!: readonly TokenizationCorrectedField[];
}

@ObjectType({ simpleResolvers: true, description: 'A correction in a list.' })
export class TokenizationCorrectionEdge {
  @Field(() => TokenizationCorrection, { description: 'The correction' })
  node!: TokenizationCorrection;

  @Field(() => String, { description: 'Cursor of this item; pass it as `after` to continue behind it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of corrections.' })
export class TokenizationCorrectionConnection {
  @Field(() => [TokenizationCorrectionEdge], { description: 'The corrections of this page, each with its cursor' })
  edges!: readonly TokenizationCorrectionEdge[];

  @Field(() => [TokenizationCorrection], { description: 'The corrections of this page' })
  nodes!: readonly TokenizationCorrection[];

  @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
  pageInfo!: PageInfo;
}

/** Names of fields in the graph that differ from those of the input. */
export const graphNames: Readonly<Record<string, string>> = { rate: 'remunerationPercentagePerYear' };
