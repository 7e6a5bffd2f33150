import { z } from 'zod';

/** The `typ` header of our access tokens (RFC 9068 §2.1). */
export const accessTokenType = 'at+jwt';

/** The `typ` header of our refresh tokens. */
export const refreshTokenType = 'rt+jwt';

const headerForm = z.object({ typ: z.string() });

export function isAccessTokenLike(text: string): boolean {
  return jwtTypeOf(text) === accessTokenType;
}

/** Returns the `typ` header of a JWT, valid or not, in lower case; undefined for a text that is none. */
export function jwtTypeOf(text: string): string | undefined {
  const end = text.indexOf('.');
  // The header of our own tokens has some 60 characters.
  if (end < 1 || end > 500) return undefined;
  try {
    const header: unknown = JSON.parse(Buffer.from(text.slice(0, end), 'base64url').toString('utf8'));
    return headerForm.safeParse(header).data?.typ.toLowerCase();
  } catch {
    return undefined;
  }
}
