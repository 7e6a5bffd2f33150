import { ArgsType, Directive, Field, ObjectType } from 'type-graphql';
import {
  CorrectedFields,
  CorrectionFields,
  CorrectionPageArgs,
  correctionsCounted,
} from '../../../shared/corrections/correction.type.js';
import { connectionType } from '../../../shared/subgraph/connection-type.js';
import { tickerArg } from '../operations/ticker-arg.js';

@ArgsType()
export class OperationCorrectionArgs extends CorrectionPageArgs {
  @Field(() => String, {
    nullable: true,
    description: `${tickerArg.description}; the corrections of all operations when omitted`,
  })
  ticker?: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A field of an operation, or of data that belongs to it, that changed.',
})
export class OperationCorrectedField extends CorrectedFields {}

@ObjectType({
  simpleResolvers: true,
  description: 'A change or removal of published data about an operation.',
})
export class OperationCorrection extends CorrectionFields {
  @Field(() => String, { description: 'Ticker of the operation' })
  operationTicker!: string;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [OperationCorrectedField], { description: 'The changed fields, by name' })
  fields!: readonly OperationCorrectedField[];
}

export const OperationCorrectionConnection = connectionType(OperationCorrection, {
  name: 'OperationCorrection',
  nodes: 'corrections',
  order: 'newest first',
  uncounted: correctionsCounted,
});

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
