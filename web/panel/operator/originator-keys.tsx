import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { date, decimal } from '../frame/language.js';
import { textOf } from '../frame/parts.js';
import { ActDialog } from './act-dialog.js';
import { graph } from './graph.js';
import type { OriginatorPart } from './originator.js';
import { PublicKeyInput } from './originators.js';
import { operatorTexts } from './texts.js';

/** The keys with which an originator signs. */
export function OriginatorKeys({ originator: { id, keys }, mayAct, open, onDone }: OriginatorPart) {
  const { originators: text, onboarding } = operatorTexts.get();
  const add = (close: () => void) => (
    <ActDialog
      title={onboarding.addKey}
      act={onboarding.addKey}
      fields={['publicKey']}
      onClose={close}
      run={(values) =>
        graph.mutate('addOriginatorKey', { originatorId: id, publicKey: textOf(values, 'publicKey').trim() })
      }
      onDone={() => {
        close();
        onDone(onboarding.keyAdded);
      }}
    >
      <p>{onboarding.addKeyText}</p>
      <PublicKeyInput />
    </ActDialog>
  );
  const revoke = (keyId: string, fingerprint: string, close: () => void) => (
    <ActDialog
      title={onboarding.revokeTitle}
      act={onboarding.revoke}
      kind="danger"
      onClose={close}
      run={() => graph.mutate('revokeOriginatorKey', { id: keyId })}
      onDone={() => {
        close();
        onDone(onboarding.keyRevoked);
      }}
    >
      <p>
        <code>{fingerprint}</code>
      </p>
      <p>{onboarding.revokeText}</p>
    </ActDialog>
  );
  return (
    <Section id="keys" title={onboarding.keys}>
      {mayAct ? (
        <div className="row">
          <Button
            onPress={() => {
              open(add);
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
                    open((close) => revoke(key.id, key.fingerprint, close));
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
