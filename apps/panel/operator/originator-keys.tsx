import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { date, decimal } from '../frame/language.js';
import { textOf } from '../frame/parts.js';
import { ActDialog } from './act-dialog.js';
import { graph } from './graph.js';
import type { OriginatorPart } from './originator-part.js';
import { PublicKeyInput } from './originators.js';
import { operatorTexts } from './texts.js';

/** The keys with which an originator signs. */
export function OriginatorKeys({ originator: { id, keys }, mayAct, open, onDone }: OriginatorPart) {
  const { originators: text, onboarding } = operatorTexts.get();
  return (
    <Section id="keys" title={onboarding.keys}>
      {mayAct ? (
        <div className="row">
          <Button
            onPress={() => {
              open((close) => (
                <AddKey
                  originatorId={id}
                  onClose={close}
                  onDone={() => {
                    close();
                    onDone(onboarding.keyAdded);
                  }}
                />
              ));
            }}
          >
            {onboarding.addKey}
          </Button>
        </div>
      ) : null}
      <Table
        caption={onboarding.keys}
        rows={keys}
        keyOf={(key) => key.id}
        empty={text.noKeys}
        columns={[
          { label: text.keys, kind: 'wide', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
          { label: text.bits, kind: 'number', cell: ({ bits }) => decimal(bits) },
          { label: text.created, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
          {
            label: text.status,
            kind: 'nowrap',
            cell: ({ revokedAt }) => (revokedAt === null ? text.valid : text.revoked(date(revokedAt))),
          },
          {
            label: onboarding.acts,
            cell: (key) =>
              mayAct && key.revokedAt === null ? (
                <Button
                  label={`${onboarding.revoke} ${key.fingerprint.slice(0, 12)}`}
                  onPress={() => {
                    open((close) => (
                      <RevokeKey
                        signingKey={key}
                        onClose={close}
                        onDone={() => {
                          close();
                          onDone(onboarding.keyRevoked);
                        }}
                      />
                    ));
                  }}
                >
                  {onboarding.revoke}
                </Button>
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

interface ActProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function AddKey({ originatorId, onClose, onDone }: ActProps & { readonly originatorId: string }) {
  const { onboarding } = operatorTexts.get();
  return (
    <ActDialog
      title={onboarding.addKey}
      act={onboarding.addKey}
      fields={['publicKey']}
      onClose={onClose}
      run={(values) =>
        graph.mutate('addOriginatorKey', { originatorId, publicKey: textOf(values, 'publicKey').trim() })
      }
      onDone={onDone}
    >
      <p>{onboarding.addKeyText}</p>
      <PublicKeyInput />
    </ActDialog>
  );
}

function RevokeKey(props: ActProps & { readonly signingKey: { readonly id: string; readonly fingerprint: string } }) {
  const { signingKey, onClose, onDone } = props;
  const { onboarding } = operatorTexts.get();
  return (
    <ActDialog
      title={onboarding.revokeTitle}
      act={onboarding.revoke}
      kind="danger"
      onClose={onClose}
      run={() => graph.mutate('revokeOriginatorKey', { id: signingKey.id })}
      onDone={onDone}
    >
      <p>
        <code>{signingKey.fingerprint}</code>
      </p>
      <p>{onboarding.revokeText}</p>
    </ActDialog>
  );
}
