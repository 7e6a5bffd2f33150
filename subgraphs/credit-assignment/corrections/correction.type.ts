import { ArgsType, Field, ID, ObjectType } from 'type-graphql';
import { CorrectedFields, CorrectionFields, CorrectionPageArgs } from '../../../shared/corrections/correction.type.js';
import { connectionType } from '../../../shared/subgraph/connection-type.js';

@ArgsType()
export class CreditAssignmentCorrectionArgs extends CorrectionPageArgs {
  @Field(() => ID, {
    nullable: true,
    description: 'Id of the estate (UUID); operators may omit it, and get those of all estates',
  })
  patrimonyId?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A field that is another.' })
export class CreditAssignmentCorrectedField extends CorrectedFields {}

@ObjectType({
  simpleResolvers: true,
  description: 'What an estate takes in, where that was changed or removed after originators could read it.',
})
export class CreditAssignmentCorrection extends CorrectionFields {
  @Field(() => String, { description: 'Ticker of the estate' })
  patrimonyTicker!: string;

  @Field(() => [CreditAssignmentCorrectedField], {
    description: 'The fields that are another, by name; null is what was not, or is not, asked',
  })
  fields!: readonly CreditAssignmentCorrectedField[];
}

export const CreditAssignmentCorrectionConnection = connectionType(CreditAssignmentCorrection, {
  name: 'CreditAssignmentCorrection',
  nodes: 'corrections',
});
