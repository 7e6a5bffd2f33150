import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import { Patrimony } from '../relations/entities.type.js';
import type { PermitRow } from './permit.store.js';

@ObjectType({ simpleResolvers: true, description: 'Permission of an originator to assign credits to an estate.' })
export class OriginatorPermit {
  @Field(() => Patrimony, { nullable: true, description: 'The estate; null while it is withdrawn.' })
  patrimony!: Patrimony;

  @Field(() => DateTimeScalar, { description: 'Time at which an operator granted the permit.' })
  permittedAt!: Date;
}

export function toOriginatorPermit({ patrimonyId, permittedAt }: PermitRow): Readonly<OriginatorPermit> {
  return { patrimony: { id: patrimonyId }, permittedAt };
}
