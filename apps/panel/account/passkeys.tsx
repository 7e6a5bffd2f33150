import { Section } from '../../design/basics.js';
import { TextInput } from '../../design/controls/fields.js';
import { Table } from '../../design/table.js';
import { ActDialog, Ask, DialogButton } from '../frame/ask.js';
import { FailureError } from '../frame/failure.js';
import { date, moment } from '../frame/language.js';
import { textOf } from '../frame/parts.js';
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
  const add = (
    <DialogButton act={text.addPasskey}>
      {({ onClose }) => <AddPasskey onClose={onClose} onAdded={onChanged} />}
    </DialogButton>
  );
  return (
    <Section id="passkeys" title={text.passkeys} links={add}>
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
              <DialogButton label={`${text.remove} ${passkey.name}`} act={text.remove} onDone={onChanged}>
                {(ending) => (
                  <Ask
                    title={text.removePasskey(passkey.name)}
                    act={text.remove}
                    run={() => graph.mutate('removePasskey', { id: passkey.id })}
                    {...ending}
                  >
                    <p>{text.removeText}</p>
                  </Ask>
                )}
              </DialogButton>
            ),
          },
        ]}
      />
    </Section>
  );
}

function AddPasskey(props: { readonly onClose: () => void; readonly onAdded: (codes: readonly string[]) => void }) {
  const { onClose, onAdded } = props;
  const { security: text } = accountTexts.get();
  const run = async (values: FormData) => {
    const codes = await createPasskey(textOf(values, 'name'));
    onClose();
    onAdded(codes);
  };
  return (
    <ActDialog
      title={text.addPasskey}
      act={text.addPasskey}
      fields={['name']}
      onClose={onClose}
      run={run}
      onDone={onClose}
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
    </ActDialog>
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
