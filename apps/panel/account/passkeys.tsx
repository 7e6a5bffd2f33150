import { useState } from 'react';
import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { ConfirmDialog, Dialog } from '../../design/controls/dialog.js';
import { TextInput } from '../../design/controls/fields.js';
import { Table } from '../../design/table.js';
import { FailureError } from '../frame/failure.js';
import { date, moment } from '../frame/language.js';
import { FailureNotice, Form, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { accountTexts } from './texts.js';

type Passkey = Operations['factors']['data']['secondFactors']['passkeys'][number];

export interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly onChanged: (codes?: readonly string[]) => void;
}

export function Passkeys({ passkeys, onChanged }: PasskeysProps) {
  const { security: text } = accountTexts.get();
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  const open = () => {
    setAdding(true);
  };
  return (
    <Section id="passkeys" title={text.passkeys} links={<Button onPress={open}>{text.addPasskey}</Button>}>
      <Table
        caption={text.passkeys}
        rows={passkeys}
        keyOf={({ id }) => id}
        empty={text.passkeysEmpty}
        columns={[
          { label: text.passkeyName, kind: 'wide', cell: ({ name }) => name },
          { label: text.added, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
          {
            label: text.lastUsed,
            kind: 'nowrap',
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? text.never : moment(lastUsedAt)),
          },
          {
            label: text.acts,
            cell: (passkey) => (
              <Button label={`${text.remove} ${passkey.name}`} onPress={() => setRemoving(passkey)}>
                {text.remove}
              </Button>
            ),
          },
        ]}
      />
      <AddPasskey
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onAdded={(codes) => {
          setAdding(false);
          onChanged(codes);
        }}
      />
      <RemovePasskey
        passkey={removing}
        onClose={() => setRemoving(undefined)}
        onRemoved={() => {
          setRemoving(undefined);
          onChanged();
        }}
      />
    </Section>
  );
}

function AddPasskey(props: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onAdded: (codes: readonly string[]) => void;
}) {
  const { security: text } = accountTexts.get();
  const action = useAction();
  return (
    <Dialog title={text.addPasskey} isOpen={props.isOpen} onClose={props.onClose}>
      <Form
        action={action}
        fields={['name']}
        onSubmit={(values) => {
          void action.run(async () => {
            props.onAdded(await createPasskey(textOf(values, 'name')));
          });
        }}
      >
        <TextInput
          name="name"
          label={text.passkeyName}
          hint={text.passkeyNameHint}
          maxLength={100}
          autoComplete="off"
          isRequired
          autoFocus
        />
        <div className="acts">
          <Button onPress={props.onClose}>{frameTexts.get().cancel}</Button>
          <Button kind="main" type="submit" isBusy={action.isBusy}>
            {text.addPasskey}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Has the browser create a passkey, and registers it. Returns the recovery codes that come with the first factor. */
async function createPasskey(name: string): Promise<readonly string[]> {
  const { beginPasskey } = await graph.mutate('beginPasskey', {});
  // The form is that of WebAuthn.
  const options = JSON.parse(beginPasskey ?? '{}') as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const created = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (!(created instanceof PublicKeyCredential)) {
    const { failedPasskey } = accountTexts.get().security;
    throw new FailureError({ code: 'PASSKEY_NOT_CREATED', message: '', said: failedPasskey, details: [] });
  }
  const { addPasskey } = await graph.mutate('addPasskey', { name, credential: JSON.stringify(created.toJSON()) });
  return addPasskey?.recoveryCodes ?? [];
}

function RemovePasskey(props: {
  readonly passkey: Passkey | undefined;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}) {
  const { passkey, onClose, onRemoved } = props;
  const { security: text } = accountTexts.get();
  const action = useAction();
  return (
    <ConfirmDialog
      title={text.removePasskey(passkey?.name ?? '')}
      isOpen={passkey !== undefined}
      onClose={() => {
        action.clear();
        onClose();
      }}
      act={text.remove}
      cancel={frameTexts.get().cancel}
      isBusy={action.isBusy}
      problem={<FailureNotice failure={action.failure} />}
      onConfirm={() => {
        if (passkey === undefined) return;
        void action.run(async () => {
          await graph.mutate('removePasskey', { id: passkey.id });
          onRemoved();
        });
      }}
    >
      <p>{text.removeText}</p>
    </ConfirmDialog>
  );
}
