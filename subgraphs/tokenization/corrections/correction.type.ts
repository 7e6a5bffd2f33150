import { ArgsType, Field, ObjectType } from 'type-graphql';
import { CorrectedFields, CorrectionFields, CorrectionPageArgs } from '../../../shared/corrections/correction.type.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';

@ArgsType()
export class TokenizationCorrectionArgs extends CorrectionPageArgs {
  @Field(() => String, {
    nullable: true,
    description: "The estate's ticker or slug, whatever the case; of all estates when omitted",
  })
  patrimonyTicker?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The series' ticker, whatever the case: what concerns that series alone",
  })
  trancheTicker?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A field that is another.' })
export class TokenizationCorrectedField extends CorrectedFields {}

@ObjectType({
  simpleResolvers: true,
  description:
    'Something that had been published about an estate, its series or its assets, or by the market, and was changed or removed afterwards.',
})
export class TokenizationCorrection extends CorrectionFields {
  @Field(() => String, { nullable: true, description: 'Ticker of the estate; null for what the market published' })
  patrimonyTicker!: string | null;

  @Field(() => [TokenizationCorrectedField], { description: 'The fields that are another, by name' })
  fields!: readonly TokenizationCorrectedField[];
}

@ObjectType({ simpleResolvers: true, description: 'A correction in a list.' })
export class TokenizationCorrectionEdge {
  @Field(() => TokenizationCorrection, { description: 'The correction' })
  node!: TokenizationCorrection;

  @Field(() => String, { description: 'Its place in the list, to continue after it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of corrections.' })
export class TokenizationCorrectionConnection {
  @Field(() => [TokenizationCorrectionEdge], { description: 'The corrections of this page, each with its place' })
  edges!: readonly TokenizationCorrectionEdge[];

  @Field(() => [TokenizationCorrection], { description: 'The corrections of this page' })
  nodes!: readonly TokenizationCorrection[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
  pageInfo!: PageInfo;
}

/** Names of fields in the graph that differ from those of the input. */
export const graphNames: Readonly<Record<string, string>> = { rate: 'remunerationPercentagePerYear' };
