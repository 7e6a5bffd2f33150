import type { FastifyRequest } from 'fastify';
import { errorKinds } from '../../shared/registry.js';
import type { Config } from '../../shared/kernel/config.js';
import type { CallOrigin, CredentialHeader, Principal } from '../../shared/kernel/context.js';
import { isAccessTokenLike } from '../../shared/security/access-token.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { withUnread } from '../../shared/graphql/access.js';
import type { Bucket } from './limits/limiter.js';
import { networkOf } from '../../shared/kernel/network.js';
import type { FindClient } from './identify/signature.js';

export interface Credential {
  readonly apiKey?: string;
  readonly bearer?: string;
  /** The cookie of a browser's session, which is read only where no other credential is sent. */
  readonly cookie?: string;
  /** Whether the cookie came to the operators' site; undefined where they have none of their own. */
  readonly ofOperators?: boolean;
}

export interface Callers {
  /** Undefined for a malformed, unknown, revoked or expired credential; throws only if it cannot be checked. @param origin for the audit log */
  authenticate(credential: Credential, origin?: CallOrigin): Promise<Principal | undefined>;
  readonly findClient: FindClient;
  touch(caller: Principal): void;
  noteRefusal(caller: Principal): void;
}

/**
 * The credential that a route requires, and the headers that hold it:
 * - `none`: no credential;
 * - `browser`: only the cookie of a browser's session. `session`, `trader` and `optional` accept it too, see `credentialIn`;
 * - `session`: `Authorization: Bearer <session JWT>`;
 * - `apiKey`: `X-API-Key`;
 * - `developerKey`: `X-API-Key`, with a key of a developer (`svc_dev_…`); neither kind of key is valid on the paths of the other;
 * - `agent`: `X-API-Key`, or the same key as `Authorization: Bearer`; or `Authorization: Bearer <access token>` of a company that trades;
 * - `signature`: a client of credit assignment, by `X-Client-Id` (or `X-API-Key`), `X-Timestamp` and `X-Signature`;
 * - `trader`: `Authorization: Bearer <access token>` of a company that trades;
 * - `optional`: on POST a signature, where `X-Signature` is sent; or `X-API-Key`, or else a session, an access token or a
 *   key as `Authorization: Bearer`, or else no credential; one that is sent must be valid.
 */
export type CredentialRule =
  'none' | 'browser' | 'session' | 'apiKey' | 'developerKey' | 'agent' | 'signature' | 'trader' | 'optional';

/** The configured limits by name. `unmetered` shows the public bucket without spending; `agent` is the client's bucket for a trading company, else the key's. */
export type BucketName = keyof Config['rateLimits'] | 'unmetered' | 'agent';

/** Policy of a route: `app.get(path, {config: {edge: rules}}, handler)`. Without one: public, no credential. */
export interface EdgeRules {
  readonly credential: CredentialRule;
  readonly bucket: BucketName;
  /** Whether a repeated request gets the stored response: by `X-Idempotency-Key` on POST, PUT and PATCH, and by its signature also on DELETE. */
  readonly idempotent?: boolean;
  /** Headers, in lower case, that belong to a request's input like its body: the same idempotency key with other values is another request. */
  readonly bound?: readonly string[];
  /** Query parameters that the route reads; a response names the others that were sent, see `tellIgnored`. */
  readonly parametersOf?: (request: FastifyRequest) => ReadonlySet<string>;
  /** Whether the route responds over plain HTTP even where HTTPS is required: for monitors behind the proxy. */
  readonly plainHttp?: boolean;
  /** Whether bodies come from another part of this platform, which has already limited them. */
  readonly trustedBodies?: boolean;
  /** Whether errors name the rules that were broken, as the graph does: for the forms of browsers. */
  readonly namesRules?: boolean;
  /** Whether errors have the form of a GraphQL response instead of the envelope. */
  readonly respondsInGraphql?: boolean;
  readonly passive?: boolean;
  /** Whether the caller of a request may know that the route exists; for anyone else it does not. Without it everyone may. */
  readonly visibleTo?: (request: FastifyRequest) => boolean;
}

export const publicRules: EdgeRules = { credential: 'none', bucket: 'public' };

function readsKeyAlone(rule: CredentialRule): boolean {
  return rule === 'apiKey' || rule === 'developerKey';
}

function readsBearerAlone(rule: CredentialRule): boolean {
  return rule === 'session' || rule === 'trader';
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function isSigned(rule: CredentialRule, method: string, headers: Headers): boolean {
  return rule === 'signature' || (rule === 'optional' && method === 'POST' && headers['x-signature'] !== undefined);
}

function bearerOf(headers: Headers): string | undefined {
  const value = headers['authorization'];
  return typeof value === 'string' ? /^Bearer +(\S+) *$/i.exec(value)?.[1] : undefined;
}

/** Whether a caller sent a credential in a header that the rule reads. */
export function presents(rule: CredentialRule, headers: Headers): boolean {
  if (rule === 'browser') return false;
  const key = headers['x-api-key'] !== undefined;
  const bearer = headers['authorization'] !== undefined;
  if (readsBearerAlone(rule)) return bearer;
  if (rule === 'optional' && headers['x-signature'] !== undefined) return true;
  return readsKeyAlone(rule) ? key : key || bearer;
}

/** Returns the credential in the headers that the rule reads; undefined when they hold none. */
export function credentialOf(rule: CredentialRule, headers: Headers): Credential | undefined {
  if (rule === 'browser') return undefined;
  const key = readsBearerAlone(rule) ? undefined : headers['x-api-key'];
  if (typeof key === 'string') return { apiKey: key };
  const bearer = readsKeyAlone(rule) ? undefined : bearerOf(headers);
  return bearer === undefined ? undefined : { bearer };
}

export function unreadIn(rule: CredentialRule, headers: Headers): CredentialHeader | undefined {
  if (rule === 'none' || rule === 'browser' || rule === 'signature') return undefined;
  if (headers['x-api-key'] === undefined || headers['authorization'] === undefined) return undefined;
  return readsBearerAlone(rule) ? 'X-API-Key' : 'Authorization';
}

/** Whether the holder of a valid credential is of the kind that the rule requires. */
export function suits(rule: CredentialRule, principal: Principal): boolean {
  if (rule === 'browser') return principal.browser !== undefined;
  if (rule === 'session') return principal.kind === 'SESSION';
  if (rule === 'developerKey') return principal.kind === 'DEVELOPER_KEY';
  if (rule === 'trader') return principal.kind === 'TRADER';
  if (rule === 'agent' && principal.kind === 'TRADER') return true;
  return rule === 'optional' || principal.kind === 'API_KEY';
}

const takesTokensToo: ReadonlySet<CredentialRule> = new Set(['agent', 'optional']);

/** Returns the error of an invalid credential; INVALID_ACCESS_TOKEN for a trading company's token. @param unread a credential that was sent too, unchecked */
export function refusalOf(
  rule: CredentialRule,
  credential: Credential | undefined,
  unread?: CredentialHeader,
): ApiError {
  const { apiKey, bearer = '' } = credential ?? {};
  const trades = rule === 'trader' || (takesTokensToo.has(rule) && apiKey === undefined && isAccessTokenLike(bearer));
  const code = trades ? 'INVALID_ACCESS_TOKEN' : 'UNAUTHORIZED';
  return new ApiError(code, { message: withUnread(needs[rule] ?? errorKinds[code].message, unread) });
}

/** The errors of the rules that accept one kind of credential: a credential of another kind is refused with the same words as an unknown one. */
const needs: Readonly<Partial<Record<CredentialRule, string>>> = {
  apiKey: 'This path needs an API key (`svcpub_…`) in `X-API-Key`: it is missing, unknown, revoked or expired',
  developerKey:
    'This path needs the key of a developer (`svc_dev_…`) in `X-API-Key`: it is missing, unknown, revoked or expired',
  session: 'This path needs a session in `Authorization: Bearer`: it is missing, invalid or has ended',
};

/** Returns the `WWW-Authenticate` header for a caller without the credential that the rule requires (RFC 9110 §11.6.1). */
export function challengeOf(rule: CredentialRule, given: boolean): string {
  const error = given ? ', error="invalid_token"' : '';
  if (rule === 'browser') return 'Cookie realm="lastro", cookie-name="__Host-lastro"';
  if (rule === 'signature') return 'Signature realm="lastro", headers="X-Client-Id X-Timestamp X-Signature"';
  if (readsKeyAlone(rule)) return 'ApiKey realm="lastro", header="X-API-Key"';
  if (rule === 'agent') return `ApiKey realm="lastro", header="X-API-Key", Bearer realm="lastro"${error}`;
  return `Bearer realm="lastro"${error}`;
}

/** Returns the bucket that all callers of one network share: for public paths, and for callers whose credential is invalid. */
export function publicBucket(rateLimits: Config['rateLimits'], ip: string): Bucket {
  return { key: `public:${networkOf(ip)}`, limit: rateLimits.public };
}

/** Returns the bucket of a key, for all paths but the graph. */
export function bucketOfKey(keyId: string, limit: number): Bucket {
  return { key: `key:${keyId}`, limit };
}

export function bucketOf(name: BucketName, rateLimits: Config['rateLimits'], principal: Principal, ip: string): Bucket {
  const anonymous = principal.kind === 'ANONYMOUS';
  switch (name) {
    case 'public':
    case 'unmetered':
      return publicBucket(rateLimits, ip);
    case 'pages':
      return { key: `pages:${networkOf(ip)}`, limit: rateLimits.pages };
    case 'accounts':
      return { key: `accounts:${networkOf(ip)}`, limit: rateLimits.accounts };
    case 'session':
      return { key: `session:${principal.id}`, limit: rateLimits.session };
    case 'apiKey':
      return bucketOfKey(principal.id, principal.rateLimit ?? rateLimits.apiKey);
    case 'client':
      return { key: `client:${principal.ownerId}`, limit: principal.rateLimit ?? rateLimits.client };
    case 'agent':
      return bucketOf(principal.kind === 'TRADER' ? 'client' : 'apiKey', rateLimits, principal, ip);
    case 'graphql':
      return { key: `graphql:${anonymous ? networkOf(ip) : payerOf(principal)}`, limit: rateLimits.graphql };
  }
}

/** Returns the owner of a bucket: a client pays once for all its keys, and a company for all its credentials; every other credential pays for itself. */
function payerOf({ kind, id, ownerId }: Principal): string {
  return kind === 'CLIENT' || kind === 'TRADER' ? ownerId : id;
}

export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.split('?', 1)[0] ?? '';
}
