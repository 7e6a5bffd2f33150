import { Directive, Field, ObjectType } from 'type-graphql';

/** The fields of a series of an operation that this domain knows: its ticker. The rest of the entity belongs to issuances. */
@Directive('@key(fields: "ticker")')
@ObjectType({ simpleResolvers: true, description: 'A series of an operation, in raw values.' })
export class Series {
  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;
}
