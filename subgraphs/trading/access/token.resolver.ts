import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { login, type LoginParts } from './login.js';
import { refresh } from './refresh.js';
import { TradingTokens } from './token.type.js';

@Resolver()
export class TokenResolver {
  constructor(private readonly parts: LoginParts) {}

  @Access('anyone')
  @Mutation(() => TradingTokens, {
    description:
      'Logs a company that trades in. REST: POST /v1/auth/login. Errors: 401 CAAS_AUTH_002 for a pair that is wrong, revoked or expired, or that is not allowed from the address of the caller.',
  })
  tradingLogin(
    @Ctx() context: Context,
    @AtMost({ maxLength: 200 })
    @Arg('apiKey', () => String, { description: 'The public key of a credential, `svc_trd_…`.' })
    apiKey: string,
    @AtMost({ maxLength: 200 })
    @Arg('secretKey', () => String, { description: 'Its secret, `svc_trd_secret_…`.' })
    secretKey: string,
  ): Promise<Readonly<TradingTokens>> {
    return login(context, this.parts, { apiKey, secretKey });
  }

  @Access('anyone')
  @Mutation(() => TradingTokens, {
    description:
      'Takes a refresh token for new tokens, without logging in again. A refresh token is good once: using it twice ends the whole login: within 1 second its access tokens, and within ten seconds its sockets. REST: PUT /v1/auth/refresh. Errors: 401 CAAS_AUTH_001 for a token that is unknown, used or expired.',
  })
  refreshTradingTokens(
    @Ctx() context: Context,
    @AtMost({ maxLength: 200 })
    @Arg('refreshToken', () => String, { description: 'The refresh token of the last login or refresh.' })
    refreshToken: string,
  ): Promise<Readonly<TradingTokens>> {
    return refresh(context, this.parts, refreshToken);
  }
}
