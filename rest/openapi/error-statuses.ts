import { maxUnpackedBytes } from '../../gateway/http/body/text-body.js';
import { hasBody, isReplayed, largestText, type Route, type TextBody } from '../route.js';

/** Returns every error status of a route, with the condition where it is the route's own. */
export function errorsOf(route: Route): Record<number, string | undefined> {
  // Without any other input, the idempotency key can still be invalid, or the body not JSON.
  const input = Object.keys(route.parameters).length > 0 || hasBody(route);
  const { credential } = route;
  return {
    ...(input ? { 400: undefined } : {}),
    ...(credential === 'none' ? {} : { 401: lacksCredential(credential) }),
    ...(credential === 'session' && route.unconfirmed !== true ? { 403: unconfirmed } : {}),
    ...(route.scope === undefined ? {} : { 403: lacksScope(credential, route.scope) }),
    ...(isReplayed(route) ? { 409: hasBody(route) ? usedKey : stillRunning } : {}),
    ...(hasBody(route) ? bodyErrors(route) : {}),
    // DELETE needs no body; one that is sent is received as on any path.
    ...(route.method === 'DELETE' ? { 413: undefined, 415: undefined } : {}),
    429: route.csv === undefined ? undefined : tooManyFiles,
    500: undefined,
    503: undefined,
    ...route.errors,
  };
}

function lacksCredential(credential: keyof typeof credentialNames): string {
  const code = credential === 'trader' ? ' (code CAAS_AUTH_001)' : '';
  return `The ${credentialNames[credential]} is missing, invalid or expired${code}.`;
}

function lacksScope(credential: Route['credential'], scope: string): string {
  return `The ${credential === 'trader' ? 'credential' : 'key'} lacks the scope \`${scope}\`.`;
}

function bodyErrors({ bodyLimit, textBodies = [] }: Route): Record<number, string | undefined> {
  const types = textBodies.map((textBody) => `\`${textType(textBody)}\``).join(' nor ');
  return {
    413:
      bodyLimit === undefined
        ? undefined
        : `The body is larger than ${bodyLimit / 1_048_576} MiB${packed(textBodies)}.`,
    415:
      textBodies.length === 0
        ? undefined
        : `The body is neither JSON nor ${types}, or its compressed content is not such a text.`,
  };
}

function packed(textBodies: readonly TextBody[]): string {
  return textBodies.length === 0
    ? ''
    : ` as JSON or ${largestText / 1_048_576} MiB as text, or a compressed text is larger than ${maxUnpackedBytes / 1_048_576} MiB when decompressed`;
}

const unconfirmed = 'The e-mail of the account is not confirmed.';
const usedKey = 'The idempotency key was used for another request, or its request is still running.';
const stillRunning = 'The same signed request is still running.';
const tooManyFiles =
  'The limit of the window is reached, or the caller is receiving two CSV files already: wait for the time in `Retry-After`.';
const credentialNames = {
  apiKey: 'API key',
  developerKey: 'developer key',
  session: 'session',
  signature: 'signature',
  trader: 'access token',
} as const;

/** Returns the media type of a text body. */
export function textType({ profile }: TextBody): string {
  return `text/plain; profile=${profile}`;
}
