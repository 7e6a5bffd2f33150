import { z } from 'zod';
import type { FactorProof, FirstFactor } from '../../shared/browser-session.js';
import { ApiError, type ErrorDetail } from '../../shared/errors.js';
import { errorAt } from '../../shared/rule-error.js';

const text = (most: number) => z.string().min(1).max(most);
const encoded = (most: number) => text(most).regex(/^[A-Za-z0-9_-]+$/, 'must be Base64url');

/** The JSON of a `PublicKeyCredential` that signs (WebAuthn Level 3 §5.1.3). */
const passkey = z.object({
  id: encoded(1_400),
  rawId: encoded(1_400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: encoded(4_000),
    authenticatorData: encoded(4_000),
    signature: encoded(8_000),
    userHandle: encoded(100)
      .nullish()
      .transform((handle) => handle ?? undefined),
  }),
  clientExtensionResults: z.object({}).default({}),
});

/** The forms of a log-in, each by the fields that only it has. */
const firstFactors = {
  email: z.strictObject({ email: text(254), password: text(1_024) }),
  operatorKey: z.strictObject({ operatorKey: text(200) }),
  apiKey: z.strictObject({ apiKey: text(200), secretKey: text(200) }),
  passkey: z.strictObject({ passkey }),
};

const proofs = {
  password: z.strictObject({ password: text(1_024) }),
  totp: z.strictObject({ totp: z.string().regex(/^\d{6}$/) }),
  recoveryCode: z.strictObject({ recoveryCode: text(40) }),
  passkey: firstFactors.passkey,
};

/** @throws {ApiError} BAD_REQUEST with every error of the body */
export function readFirstFactor(body: unknown): FirstFactor {
  if (has(body, 'email') || has(body, 'password')) return parsed(firstFactors.email, body);
  if (has(body, 'operatorKey')) return parsed(firstFactors.operatorKey, body);
  if (has(body, 'apiKey') || has(body, 'secretKey')) return parsed(firstFactors.apiKey, body);
  if (has(body, 'passkey')) return withHandle(parsed(firstFactors.passkey, body));
  throw lacking('email and password, operatorKey, apiKey and secretKey, or passkey');
}

/** @throws {ApiError} BAD_REQUEST with every error of the body */
export function readProof(body: unknown): FactorProof {
  if (has(body, 'passkey')) return withHandle(parsed(proofs.passkey, body));
  if (has(body, 'totp')) return parsed(proofs.totp, body);
  if (has(body, 'recoveryCode')) return parsed(proofs.recoveryCode, body);
  if (has(body, 'password')) return parsed(proofs.password, body);
  throw lacking('passkey, totp, recoveryCode or password');
}

function has(body: unknown, name: string): boolean {
  return typeof body === 'object' && body !== null && name in body;
}

function parsed<T>(form: z.ZodType<T>, body: unknown): T {
  const result = form.safeParse(body);
  if (result.success) return result.data;
  throw new ApiError('BAD_REQUEST', { details: result.error.issues.map(detailOf) });
}

function detailOf(issue: z.core.$ZodIssue): ErrorDetail {
  const path = issue.path.join('.');
  if (path === 'totp') return errorAt(path, 'TOTP_FORM');
  if (issue.code === 'too_small') return errorAt(path, 'REQUIRED');
  if (issue.code === 'too_big') return errorAt(path, 'TEXT_TOO_LONG', { max: Number(issue.maximum) });
  return { path, message: issue.message };
}

/** Leaves out the user handle where the authenticator sent none. */
function withHandle({ passkey: { response, ...rest } }: z.output<typeof firstFactors.passkey>) {
  const { userHandle, ...signed } = response;
  return { passkey: { ...rest, response: userHandle === undefined ? signed : { ...signed, userHandle } } };
}

function lacking(forms: string): ApiError {
  return new ApiError('BAD_REQUEST', { details: [{ path: '', message: `must be an object with ${forms}` }] });
}
