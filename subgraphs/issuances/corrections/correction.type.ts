import { ArgsType, Field, ObjectType } from 'type-graphql';
import { CorrectedFields, CorrectionFields, CorrectionPageArgs } from '../../../shared/corrections/correction.type.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { tickerArg } from '../operations/ticker-arg.js';

@ArgsType()
export class OperationCorrectionArgs extends CorrectionPageArgs {
  @Field(() => String, { nullable: true, description: `${tickerArg.description}; of all operations when omitted` })
  ticker?: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A field of an operation, or of what belongs to it, that is another.',
})
export class OperationCorrectedField extends CorrectedFields {}

@ObjectType({
  simpleResolvers: true,
  description: 'Something that had been published about an operation, and was changed or removed afterwards.',
})
export class OperationCorrection extends CorrectionFields {
  @Field(() => String, { description: 'Ticker of the operation' })
  operationTicker!: string;

  @Field(() => [OperationCorrectedField], { description: 'The fields that are another, by name' })
  fields!: readonly OperationCorrectedField[];
}

@ObjectType({ simpleResolvers: true, description: 'A correction in a list.' })
export class OperationCorrectionEdge {
  @Field(() => OperationCorrection, { description: 'The correction' })
  node!: OperationCorrection;

  @Field(() => String, { description: 'Its place in the list, to continue after it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of corrections.' })
export class OperationCorrectionConnection {
  @Field(() => [OperationCorrectionEdge], { description: 'The corrections of this page, each with its place' })
  edges!: readonly OperationCorrectionEdge[];

  @Field(() => [OperationCorrection], { description: 'The corrections of this page' })
  nodes!: readonly OperationCorrection[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
  pageInfo!: PageInfo;
}

/** Names of fields in the graph that differ from those of the input. */
export const graphNames: Readonly<Record<string, string>> = {
  sub: 'subtitle',
  class: 'riskClass',
  'summary.description': 'purpose.description',
  'summary.segment': 'purpose.segment',
  'summary.useOfProceeds': 'purpose.useOfProceeds',
  'summary.offering': 'purpose.offering',
  'summary.highlights': 'purpose.highlights',
};
