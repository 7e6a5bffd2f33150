import { z } from 'zod';

/** What an access token says it is, in its header (RFC 9068 §2.1). */
export const accessTokenType = 'at+jwt';

const headerForm = z.object({ typ: z.string() });

/** Whether a text is meant as an access token, right or not: a JWT whose header says so. */
export function isAccessTokenLike(text: string): boolean {
  const end = text.indexOf('.');
  // The header of one of ours has some 60 characters.
  if (end < 1 || end > 500) return false;
  try {
    const header: unknown = JSON.parse(Buffer.from(text.slice(0, end), 'base64url').toString('utf8'));
    return headerForm.safeParse(header).data?.typ.toLowerCase() === accessTokenType;
  } catch {
    return false;
  }
}
