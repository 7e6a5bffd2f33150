import { Field, ObjectType } from 'type-graphql';
import type { RuleValue } from '../../../shared/rule-error.js';
import { InputErrorValue } from '../../../shared/subgraph/rule-value.type.js';

@ObjectType({ simpleResolvers: true, description: 'A rule for which a batch is rejected as a whole.' })
export class RejectionRule {
  @Field(() => String, { description: 'Stable code of the rule, such as `CONTRACTS_ASSIGNED`' })
  rule!: string;

  @Field(() => [InputErrorValue], { description: 'The values that its text names, such as `count` and `total`' })
  values!: readonly RuleValue[];
}
