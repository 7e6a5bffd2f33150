import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { useSession } from '../frame/session.js';
import { useQuery, useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { tradingTexts } from './texts.js';
import { chooseWallet, useWallet } from './wallet.js';
import { Dialog } from '../../design/controls/dialog.js';
import { accepted } from '../frame/failure.js';
import { Form, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';

/** Chooses the wallet of all screens: the world, and the company itself or one of its profiles. */
export function WalletBar() {
  const { wallet: text } = tradingTexts.get();
  const { synthetic, profileId } = useWallet();
  const { data, reload } = useQuery(graph, 'profiles', { synthetic });
  const mayTrade = useSession()?.scopes.includes('trade') === true;
  const [isNew, setNew] = useState(false);
  const profiles = data?.fetchProfiles.profiles ?? [];
  return (
    <div className={synthetic ? 'wallet synthetic' : 'wallet'}>
      {synthetic ? (
        <p role="note">
          <strong>{text.syntheticBand}</strong>
        </p>
      ) : null}
      <div className="filter">
        <SelectInput
          name="world"
          label={text.world}
          value={synthetic ? 'synthetic' : 'real'}
          onChange={(value) => chooseWallet({ synthetic: value === 'synthetic', profileId: null })}
          options={[
            { value: 'real', text: text.real },
            { value: 'synthetic', text: text.synthetic },
          ]}
        />
        <SelectInput
          name="profile"
          label={text.profile}
          value={profileId ?? ''}
          onChange={(value) => chooseWallet({ synthetic, profileId: value === '' ? null : value })}
          all={text.company}
          options={profiles.map(({ id, name, status }) => ({
            value: id,
            text: status === 'ACTIVE' ? name : `${name} (${text.suspended})`,
          }))}
        />
        {mayTrade ? <Button onPress={() => setNew(true)}>{text.newProfile}</Button> : null}
      </div>
      {isNew ? (
        <NewProfile
          synthetic={synthetic}
          onClose={() => setNew(false)}
          onCreated={(id) => {
            setNew(false);
            reload();
            chooseWallet({ synthetic, profileId: id });
          }}
        />
      ) : null}
    </div>
  );
}

/** Characters of a CPF without punctuation; a CNPJ has 14. */
const cpfLength = 11;

/** Creates a profile: a person of the company's, with wallets of its own. */
function NewProfile(props: {
  readonly synthetic: boolean;
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}) {
  const { synthetic, onClose, onCreated } = props;
  const { wallet: text } = tradingTexts.get();
  const action = useAction();
  return (
    <Dialog title={text.newProfile} isOpen onClose={onClose}>
      <Form
        action={action}
        fields={['name', 'document', 'email']}
        label={text.newProfile}
        onSubmit={(values) => {
          const document = textOf(values, 'document').replace(/[\s./-]/g, '');
          void action.run(async () => {
            const { createProfileResult } = await graph.mutate('createProfile', {
              synthetic,
              name: textOf(values, 'name').trim(),
              document,
              documentType: document.length > cpfLength ? 'CNPJ' : 'CPF',
              email: textOf(values, 'email').trim(),
            });
            onCreated(accepted(createProfileResult).id);
          });
        }}
      >
        <TextInput name="name" label={text.name} maxLength={200} isRequired />
        <TextInput name="document" label={text.document} autoComplete="off" maxLength={20} isRequired />
        <TextInput name="email" type="email" label={text.email} maxLength={254} isRequired />
        <div className="acts">
          <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
          <Button kind="main" type="submit" isBusy={action.isBusy}>
            {text.create}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
