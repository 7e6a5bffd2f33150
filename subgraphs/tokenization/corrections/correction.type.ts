import { ArgsType, Directive, Field, ObjectType } from 'type-graphql';
import {
  CorrectedFields,
  CorrectionFields,
  CorrectionPageArgs,
  correctionsCounted,
} from '../../../shared/corrections/correction.type.js';
import { connectionType } from '../../../shared/subgraph/connection-type.js';

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

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [TokenizationCorrectedField], { description: 'The changed fields, by name' })
  fields!: readonly TokenizationCorrectedField[];
}

export const TokenizationCorrectionConnection = connectionType(TokenizationCorrection, {
  name: 'TokenizationCorrection',
  nodes: 'corrections',
  order: 'newest first',
  uncounted: correctionsCounted,
});

/** Names of fields in the graph that differ from those of the input. */
export const graphNames: Readonly<Record<string, string>> = { rate: 'remunerationPercentagePerYear' };
