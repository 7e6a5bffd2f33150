import { randomBytes } from 'node:crypto';
import { base62, hasChecksum, withChecksum } from '../../../shared/kernel/checked-text.js';
import { chosenNames } from '../../../shared/kernel/chosen-names.js';
import { sha256 } from '../../../shared/security/crypto.js';
import { type ErrorDetail, unless, errorAt } from '../../../shared/kernel/errors.js';
import { isNetwork, trustOf } from '../../../shared/kernel/network.js';

/** The scopes of a credential: to read, to place and cancel orders and open profiles, and to withdraw. */
export const scopes = ['read', 'trade', 'withdraw'] as const;
export type Scope = (typeof scopes)[number];

/** Maximum number of credentials of a company that are neither revoked nor expired: enough for several programs and their rotation. */
export const maxLiveCredentials = 10;
const maxNetworks = 100;

export interface CredentialInput {
  readonly scopes: readonly string[];
  /** Addresses or CIDR blocks from which it may be used; null for any network. */
  readonly allowedNetworks: readonly string[] | null;
}

/** Returns the scopes that the texts name, each once and in the order of the catalogue. */
export function readScopes(given: readonly string[]): Scope[] {
  return scopes.filter((scope) => given.includes(scope));
}

export function credentialIssues({ scopes: given, allowedNetworks }: CredentialInput): ErrorDetail[] {
  return [...chosenNames('scopes', scopes, given).errors, ...networkIssues(allowedNetworks)];
}

function networkIssues(networks: readonly string[] | null): ErrorDetail[] {
  if (networks === null) return [];
  if (networks.length < 1 || networks.length > maxNetworks) {
    return [errorAt('allowedNetworks', 'LIST_OR_NULL', { min: 1, max: maxNetworks })];
  }
  return networks.flatMap((network, index) =>
    unless(
      isNetwork(network) && !network.toLowerCase().startsWith('::ffff:'),
      errorAt(`allowedNetworks[${index}]`, 'NETWORK_FORM'),
    ),
  );
}

export function expiryIssues(expiresAt: Date | null, now: Date): ErrorDetail[] {
  return unless(expiresAt === null || expiresAt > now, errorAt('expiresAt', 'IN_FUTURE'));
}

/** Whether a credential may be used from an address. Null allows every address; text that is not an address is in no list. */
export function isAllowedFrom(networks: readonly string[] | null, address: string | undefined): boolean {
  return networks === null || (address !== undefined && trustOf(networks)(address));
}

/** `svc_trd_<random>` is the public `apiKey` (64 random bits), `svc_trd_secret_<random>` the `secretKey` (256). A checksum of six characters rejects mistyped ones without a look-up. */
const forms = {
  apiKey: { mark: 'svc_trd_', bytes: 8, length: 11 },
  secretKey: { mark: 'svc_trd_secret_', bytes: 32, length: 43 },
} as const;

export type TextKind = keyof typeof forms;

export type Random = (size: number) => Uint8Array;

export function mint(kind: TextKind, random: Random = randomBytes): string {
  const { mark, bytes, length } = forms[kind];
  return withChecksum(mark + base62(random(bytes), length));
}

const patterns = Object.fromEntries(
  Object.entries(forms).map(([kind, { mark, length }]) => [kind, new RegExp(`^${mark}[0-9A-Za-z]{${length + 6}}$`)]),
);

export function isWellFormed(kind: TextKind, text: string): boolean {
  return patterns[kind]?.test(text) === true && hasChecksum(text);
}

/** Returns the hash of a secret or refresh token, which is all that the database stores of it. */
export function hashOf(text: string): Buffer {
  return sha256(text);
}
