import { Ask, DialogButton } from '../frame/ask.js';
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
  const { keys: text } = developerTexts.get();
  const act = of.scopes === undefined ? ('revokeApiKey' as const) : ('revokeDeveloperKey' as const);
  return (
    <DialogButton {...label} act={text.revoke} onDone={() => onDone(text.revoked(of.name))}>
      {(ending) => (
        <Ask
          title={text.revokeTitle(of.name)}
          act={text.revoke}
          run={() => graph.mutate(act, { id: of.id })}
          {...ending}
        >
          <p>{text.revokeText}</p>
        </Ask>
      )}
    </DialogButton>
  );
}
