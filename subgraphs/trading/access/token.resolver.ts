import { Arg, Ctx, Mutation, Resolver, Field, Int, ObjectType } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { login, type LoginParts, refresh } from './tokens.acts.js';

@Resolver()
export class TokenResolver {
  constructor(private readonly parts: LoginParts) {}

  @Access('anyone')
  @Mutation(() => TradingTokens, {
    description:
      'Logs in a trading company. REST: POST /v1/auth/login. Errors: 401 CAAS_AUTH_002 for a wrong, revoked or expired credential, and for one that is not allowed from the address of the caller.',
  })
  tradingLogin(
    @Ctx() context: Context,
    @AtMost({ maxLength: 200 })
    @Arg('apiKey', () => String, { description: 'Public key of a credential, `svc_trd_…`.' })
    apiKey: string,
    @AtMost({ maxLength: 200 })
    @Arg('secretKey', () => String, { description: 'Secret of the credential, `svc_trd_secret_…`.' })
    secretKey: string,
  ): Promise<Readonly<TradingTokens>> {
    return login(context, this.parts, { apiKey, secretKey });
  }

  @Access('anyone')
  @Mutation(() => TradingTokens, {
    description:
      'Exchanges a refresh token for new tokens. A refresh token is valid once: a second use ends the whole login, its access tokens within 1 second and its sockets within ten seconds. Within ten seconds the same client at the same address gets the same tokens again. REST: PUT /v1/auth/refresh. Errors: 401 CAAS_AUTH_001 for a token that is unknown, used or expired.',
  })
  refreshTradingTokens(
    @Ctx() context: Context,
    @AtMost({ maxLength: 2_048 })
    @Arg('refreshToken', () => String, { description: 'Refresh token of the last login or refresh.' })
    refreshToken: string,
  ): Promise<Readonly<TradingTokens>> {
    return refresh(context, this.parts, refreshToken);
  }
}

@ObjectType({ simpleResolvers: true, description: 'Tokens of a trading company. They are returned only once.' })
class TradingTokens {
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
