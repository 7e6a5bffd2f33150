import { ActButton } from '../frame/ask.js';
import { graph, type Operations } from './graph.js';
import { developerTexts } from '../texts.js';
import type { Tone } from '../../design/basics.js';

/** Revokes a key, once that is confirmed. Its label names the key, where there are several. */
export function RevokeKey(props: {
  readonly of: Key;
  readonly label?: string;
  readonly onDone: (said: string) => void;
}) {
  const { of, onDone, ...label } = props;
  const { keys: text, words } = developerTexts.get();
  const act = of.scopes === undefined ? ('revokeApiKey' as const) : ('revokeDeveloperKey' as const);
  return (
    <ActButton
      {...label}
      title={text.revokeTitle(of.name)}
      act={words.revoke}
      kind="danger"
      text={text.revokeText}
      run={() => graph.mutate(act, { id: of.id })}
      onDone={() => onDone(text.revoked(of.name))}
    />
  );
}
type DeveloperKey = Operations['keys']['data']['developerKeys'][number];
/** A key of either kind; those of developers have scopes. */
export type Key = Operations['keys']['data']['apiKeys'][number] & Partial<Pick<DeveloperKey, 'scopes'>>;

const dayMs = 86_400_000;
const soonDays = 30;

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
