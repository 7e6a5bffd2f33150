import { Directive, Field, ObjectType } from 'type-graphql';

/** The fields of an operation that this domain knows: its ticker. The rest of the entity belongs to issuances. */
@Directive('@key(fields: "ticker")')
@ObjectType({ simpleResolvers: true, description: 'A public securitization operation, in raw values.' })
export class Operation {
  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;
}
