import { useState } from 'react';
import { ConfirmDialog } from '../../design/controls/dialog.js';
import { Check } from '../../design/controls/fields.js';
import { FailureNotice } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { originatorTexts } from './texts.js';

type Key = Operations['originators']['data']['myOriginators'][number]['keys'][number];

/** Asks before it revokes a signing key; the last valid one only after a further confirmation. */
export function RevokeSigningKey(props: {
  readonly signingKey: Key;
  readonly isLast: boolean;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}) {
  const { signingKey, isLast, onClose, onRevoked } = props;
  const { keys: text } = originatorTexts.get();
  const action = useAction();
  const [isSure, setSure] = useState(false);
  return (
    <ConfirmDialog
      title={text.revokeTitle(signingKey.fingerprint.slice(0, 8))}
      isOpen
      onClose={onClose}
      act={text.revoke}
      cancel={frameTexts.get().cancel}
      isBusy={action.isBusy}
      problem={<FailureNotice failure={action.failure} />}
      onConfirm={() => {
        void action
          .run(() => graph.mutate('revokeMyOriginatorKey', { id: signingKey.id, withoutSuccessor: isLast && isSure }))
          .then((worked) => {
            if (worked) onRevoked();
          });
      }}
    >
      <p>{text.revokeText}</p>
      {isLast ? (
        <>
          <p className="notice bad">{text.lastText}</p>
          <Check isSelected={isSure} onChange={setSure}>
            {text.lastSure}
          </Check>
        </>
      ) : null}
    </ConfirmDialog>
  );
}
