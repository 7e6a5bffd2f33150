import { ConfirmDialog } from '../../design/controls/dialog.js';
import { FailureNotice } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Key } from './key-state.js';
import { developerTexts } from './texts.js';

/** Asks before it revokes a key. */
export function RevokeKey(props: {
  readonly chosen: Key | undefined;
  readonly onClose: () => void;
  readonly onDone: (key: Key) => void;
}) {
  const { chosen, onClose, onDone } = props;
  const { keys: text } = developerTexts.get();
  const action = useAction();
  return (
    <ConfirmDialog
      title={text.revokeTitle(chosen?.name ?? '')}
      isOpen={chosen !== undefined}
      onClose={() => {
        action.clear();
        onClose();
      }}
      act={text.revoke}
      cancel={frameTexts.get().cancel}
      isBusy={action.isBusy}
      problem={<FailureNotice failure={action.failure} />}
      onConfirm={() => {
        if (chosen === undefined) return;
        const { id } = chosen;
        const act = chosen.scopes === undefined ? ('revokeApiKey' as const) : ('revokeDeveloperKey' as const);
        void action
          .run(() => graph.mutate(act, { id }))
          .then((done) => {
            if (done) onDone(chosen);
          });
      }}
    >
      <p>{text.revokeText}</p>
    </ConfirmDialog>
  );
}
