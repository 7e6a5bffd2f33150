import type { Context } from '../../../shared/context.js';
import { accessTokenSeconds, type AccessClaims, type AccessTokens } from './access-tokens.js';
import { hashOf } from './credential-form.js';
import { insertRefreshToken } from './token.store.js';

/** The tokens that a login or a refresh returns. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Life of the access token, in seconds. */
  readonly expiresIn: number;
}

/** What a pair of tokens is made of: the same text at the same time makes the same pair. */
export interface Pair extends Omit<AccessClaims, 'expiresAt'> {
  readonly seed: string;
  readonly at: Date;
}

/** Issues the tokens of a family, in the current transaction. */
export async function issueTokens(tx: Context, tokens: AccessTokens, pair: Pair): Promise<IssuedTokens> {
  const issued = await makeTokens(tokens, pair);
  await insertRefreshToken(tx, pair.familyId, hashOf(issued.refreshToken));
  return issued;
}

/** Makes the tokens of a pair, and stores nothing. */
export async function makeTokens(tokens: AccessTokens, { seed, at, ...claims }: Pair): Promise<IssuedTokens> {
  return {
    accessToken: await tokens.issue(claims, { jti: tokens.idOf(`access ${seed}`), at }),
    refreshToken: await tokens.issueRefresh(claims, { jti: tokens.idOf(`refresh ${seed}`), at }),
    expiresIn: accessTokenSeconds,
  };
}
