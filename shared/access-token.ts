import { z } from 'zod';

/** The `typ` header of our access tokens (RFC 9068 §2.1). */
export const accessTokenType = 'at+jwt';

const headerForm = z.object({ typ: z.string() });

/** Whether a text is meant as an access token, valid or not: a JWT whose `typ` header names one. */
export function isAccessTokenLike(text: string): boolean {
  const end = text.indexOf('.');
  // The header of our own tokens has some 60 characters.
  if (end < 1 || end > 500) return false;
  try {
    const header: unknown = JSON.parse(Buffer.from(text.slice(0, end), 'base64url').toString('utf8'));
    return headerForm.safeParse(header).data?.typ.toLowerCase() === accessTokenType;
  } catch {
    return false;
  }
}
