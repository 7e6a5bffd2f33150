import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'What a company that trades calls with. It is shown once.' })
export class TradingTokens {
  @Field(() => String, { description: 'A JWT signed with EdDSA (Ed25519), for `Authorization: Bearer`.' })
  accessToken!: string;

  @Field(() => String, {
    description: 'What gets the next tokens, once and within 7 days. Using it twice ends the whole login.',
  })
  refreshToken!: string;

  @Field(() => Int, { description: 'Life of the access token, in seconds: 3600.' })
  expiresIn!: number;
}
