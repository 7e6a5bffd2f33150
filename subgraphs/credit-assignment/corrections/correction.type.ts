import { ArgsType, Directive, Field, ID, ObjectType } from 'type-graphql';
import {
  CorrectedFields,
  CorrectionFields,
  CorrectionPageArgs,
  correctionsCounted,
} from '../../../shared/corrections/correction.type.js';
import { connectionType } from '../../../shared/subgraph/connection-type.js';

@ArgsType()
export class CreditAssignmentCorrectionArgs extends CorrectionPageArgs {
  @Field(() => ID, {
    nullable: true,
    description:
      'Id of the estate (UUID); required unless the caller is an operator. Without it, the corrections of all estates are returned',
  })
  patrimonyId?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A field that changed.' })
export class CreditAssignmentCorrectedField extends CorrectedFields {}

@ObjectType({
  simpleResolvers: true,
  description: 'A change or removal of the eligibility criteria of an estate.',
})
export class CreditAssignmentCorrection extends CorrectionFields {
  @Field(() => String, { description: 'Ticker of the estate' })
  patrimonyTicker!: string;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [CreditAssignmentCorrectedField], {
    description: 'The changed fields, by name; null stands for a limit that was not set before, or is no longer set',
  })
  fields!: readonly CreditAssignmentCorrectedField[];
}

export const CreditAssignmentCorrectionConnection = connectionType(CreditAssignmentCorrection, {
  name: 'CreditAssignmentCorrection',
  nodes: 'corrections',
  order: 'newest first',
  uncounted: correctionsCounted,
});
