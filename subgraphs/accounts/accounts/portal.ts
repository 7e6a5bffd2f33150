import { z } from 'zod';
import { ApiError } from '../../../shared/kernel/errors.js';
import { maxEmailLength, maxTextLength } from './account.js';
import type { PortalUser } from './account.store.js';

export const portalTimeoutMs = 5_000;

const maxAnswerBytes = 64 * 1024;

/** Returns undefined if there is none. @throws {ApiError} UNAVAILABLE when the portal gives no valid response */
export type VerifyPortalUser = (email: string, password: string) => Promise<PortalUser | undefined>;

/** Statuses of a portal for an unknown pair. */
const nobody: ReadonlySet<number> = new Set([401, 403, 404]);

const answerForm = z.object({
  id: z.union([z.string().min(1).max(200), z.int().transform(String)]),
  email: z.string().trim().min(3).max(maxEmailLength),
  name: z.string().trim().min(1).max(maxTextLength),
});

/** Expects of `POST {"email","password"}` 200 with `{"id","email","name"}`, or 401, 403 or 404. No redirects: a password is sent only to the configured address. */
export function portalOverHttp(url: string, timeoutMs = portalTimeoutMs): VerifyPortalUser {
  return async (email, password) => {
    const { request } = await import('undici');
    try {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ email, password }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (statusCode === 200) return answerForm.parse(JSON.parse(await readText(body)));
      await body.dump();
      if (nobody.has(statusCode)) return undefined;
      throw new Error(`The portal responded with ${statusCode}`);
    } catch (error) {
      throw new ApiError('UNAVAILABLE', {
        message: "The issuer's portal is not available at the moment. Try again later",
        cause: error,
      });
    }
  };
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error(`The response of the portal has more than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
