import { ArgsType, Field, ID, ObjectType } from 'type-graphql';
import { CorrectedFields, CorrectionFields, CorrectionPageArgs } from '../../../shared/corrections/correction.type.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';

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

  @Field(() => [CreditAssignmentCorrectedField], {
    description: 'The changed fields, by name; null stands for a limit that was not set before, or is no longer set',
  })
  fields!: readonly CreditAssignmentCorrectedField[];
}

@ObjectType({ simpleResolvers: true, description: 'A correction in a list.' })
export class CreditAssignmentCorrectionEdge {
  @Field(() => CreditAssignmentCorrection, { description: 'The correction' })
  node!: CreditAssignmentCorrection;

  @Field(() => String, { description: 'Cursor of this item; pass it as `after` to continue behind it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of corrections.' })
export class CreditAssignmentCorrectionConnection {
  @Field(() => [CreditAssignmentCorrectionEdge], {
    description: 'The corrections of this page, each with its cursor',
  })
  edges!: readonly CreditAssignmentCorrectionEdge[];

  @Field(() => [CreditAssignmentCorrection], { description: 'The corrections of this page' })
  nodes!: readonly CreditAssignmentCorrection[];

  @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
  pageInfo!: PageInfo;
}
