import { Field, ID, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';

@ObjectType({ simpleResolvers: true, description: 'A meeting of the holders.' })
export class Assembly {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => DateScalar, { description: 'Date' })
  date!: string;

  @Field(() => String, { description: 'Type, a free label' })
  type!: string;

  @Field(() => String, { description: 'Title' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'Call: 1ª convocação…' })
  call!: string | null;

  @Field(() => String, { description: 'Status, a free label' })
  status!: string;

  @Field(() => String, { description: 'Agenda; may be empty' })
  agenda!: string;

  @Field(() => String, { nullable: true, description: 'Resolution of the meeting' })
  resolution!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Share of the holders present, in percent' })
  quorumPercent!: string | null;

  @Field(() => String, { nullable: true, description: 'URL of the minutes or the call' })
  url!: string | null;
}
