import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'Tokens of a trading company. They are returned only once.' })
export class TradingTokens {
  @Field(() => String, { description: 'A JWT signed with EdDSA (Ed25519), for `Authorization: Bearer`.' })
  accessToken!: string;

  @Field(() => String, {
    description:
      'Refresh token, valid once and for 7 days: a JWT signed with EdDSA (Ed25519). A second use ends the whole login.',
  })
  refreshToken!: string;

  @Field(() => Int, { description: 'Lifetime of the access token in seconds: 3600.' })
  expiresIn!: number;
}
