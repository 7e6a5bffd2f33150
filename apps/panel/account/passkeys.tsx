import { useRef } from 'react';
import { TextInput } from '../../design/controls/controls.js';
import { TableSection } from '../../design/basics.js';
import { ActButton } from '../frame/ask.js';
import { FailureError } from '../frame/failure.js';
import { date, moment } from '../frame/language.js';
import { textOf } from '../frame/parts.js';
import { graph, type Operations } from './graph.js';
import { accountTexts } from '../texts.js';

export interface PasskeysProps {
  readonly passkeys: readonly Operations['factors']['data']['secondFactors']['passkeys'][number][];
  readonly onChanged: (codes?: readonly string[]) => void;
}

export function Passkeys({ passkeys, onChanged }: PasskeysProps) {
  const { security: text, words } = accountTexts.get();
  const codes = useRef<readonly string[]>([]);
  const add = (
    <ActButton
      act={text.addPasskey}
      fields={['name']}
      run={async (values) => {
        codes.current = await createPasskey(textOf(values, 'name'));
      }}
      onDone={() => onChanged(codes.current)}
    >
      <TextInput
        name="name"
        label={words.name}
        hint={text.passkeyNameHint}
        maxLength={100}
        autoComplete="off"
        isRequired
        autoFocus
      />
    </ActButton>
  );
  return (
    <TableSection
      id="passkeys"
      title={text.passkeys}
      links={add}
      rows={passkeys}
      empty={text.passkeysEmpty}
      columns={[
        { label: words.name, kind: 'wide', cell: ({ name }) => name },
        { label: text.added, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
        {
          label: words.lastUsed,
          kind: 'nowrap',
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : moment(lastUsedAt)),
        },
        {
          label: words.acts,
          cell: (passkey) => (
            <ActButton
              label={`${words.remove} ${passkey.name}`}
              title={text.removePasskey(passkey.name)}
              act={words.remove}
              kind="danger"
              text={text.removeText}
              run={() => graph.mutate('removePasskey', { id: passkey.id })}
              onDone={onChanged}
            />
          ),
        },
      ]}
    />
  );
}

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
