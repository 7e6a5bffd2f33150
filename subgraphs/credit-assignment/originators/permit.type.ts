import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import { Patrimony } from '../relations/entities.type.js';
import type { PermitRow } from './permit.store.js';

@ObjectType({ simpleResolvers: true, description: 'The permission of an originator to assign credits to an estate.' })
export class OriginatorPermit {
  @Field(() => Patrimony, { nullable: true, description: 'The estate; null while it is withdrawn.' })
  patrimony!: Patrimony;

  @Field(() => DateTimeScalar, { description: 'When an operator permitted it.' })
  permittedAt!: Date;
}

export function toOriginatorPermit({ patrimonyId, permittedAt }: PermitRow): Readonly<OriginatorPermit> {
  return { patrimony: { id: patrimonyId }, permittedAt };
}
