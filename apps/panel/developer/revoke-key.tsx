import { ActButton } from '../frame/ask.js';
import { graph } from './graph.js';
import type { Key } from './key-state.js';
import { developerTexts } from './texts.js';

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
