import type { Tone } from '../../design/basics.js';
import type { Operations } from './graph.js';

type ApiKey = Operations['keys']['data']['apiKeys'][number];
type DeveloperKey = Operations['keys']['data']['developerKeys'][number];
/** A key of either kind; those of developers have scopes. */
export type Key = ApiKey & Partial<Pick<DeveloperKey, 'scopes'>>;

const dayMs = 86_400_000;
/** How many days before its end a key is marked. */
const soonDays = 30;

/** Returns what the state of a key means at a time. */
export function keyState(
  key: { readonly status: 'ACTIVE' | 'REVOKED'; readonly expiresAt: string },
  now: number,
): { readonly state: 'active' | 'expiring' | 'expired' | 'revoked'; readonly tone: Tone } {
  const leftMs = Date.parse(key.expiresAt) - now;
  if (key.status === 'REVOKED') return { state: 'revoked', tone: 'plain' };
  if (leftMs <= 0) return { state: 'expired', tone: 'bad' };
  if (leftMs <= soonDays * dayMs) return { state: 'expiring', tone: 'warn' };
  return { state: 'active', tone: 'good' };
}
