import type { Context } from '../../../shared/context.js';
import { accessTokenSeconds, type AccessClaims, type AccessTokens } from './access-tokens.js';
import { hashOf, mint } from './credential-form.js';
import { insertRefreshToken } from './token.store.js';

/** The tokens that a login or a refresh returns. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Life of the access token, in seconds. */
  readonly expiresIn: number;
}

/** Issues the tokens of a family, in the current transaction. */
export async function issueTokens(
  tx: Context,
  tokens: AccessTokens,
  claims: Omit<AccessClaims, 'expiresAt'>,
): Promise<IssuedTokens> {
  const refreshToken = mint('refreshToken');
  await insertRefreshToken(tx, claims.familyId, hashOf(refreshToken));
  return { accessToken: await tokens.issue(claims), refreshToken, expiresIn: accessTokenSeconds };
}
